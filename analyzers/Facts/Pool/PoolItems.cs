namespace HangTriage.Facts;

/// <summary>Items of one kind in a thread pool's queues.</summary>
/// <param name="Type">The full name of their type.</param>
/// <param name="Method">The method of the program that they run or continue, as "Shop.Stock.LoadAsync"; null where none is known.</param>
/// <param name="Count">How many there are.</param>
public sealed record PoolItems(string Type, string? Method, int Count);
