namespace HangTriage.Facts;

/// <summary>Calls of one kind.</summary>
/// <param name="Name">"QueryValue".</param>
/// <param name="Count">How many.</param>
public sealed record TraceCalls(string Name, long Count);
