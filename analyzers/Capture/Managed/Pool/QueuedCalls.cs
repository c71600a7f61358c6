namespace HangTriage.Capture.Managed.Pool;

/// <summary>Code of a queued item that ends waits of others, and waits for no signal before.</summary>
/// <param name="Module">The runtime's address of its module.</param>
/// <param name="Method">Its name.</param>
/// <param name="Statics">The static fields of that module that it uses, or what it calls.</param>
internal sealed record QueuedCalls(ulong Module, string Method, IReadOnlyList<(string Type, string Name)> Statics);
