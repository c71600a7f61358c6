namespace HangTriage.Tests.Support.States;

/// <summary>
/// One thing that has to be true in a dump of a sample: an entry of "state" in its expected.json (samples/README.md). It
/// speaks of threads, of a monitor or of the heap.
/// </summary>
public sealed record StateExpectation
{
    /// <summary>The name of one or more threads, "main" or "finalizer"; null for any thread.</summary>
    public string? Thread { get; init; }

    /// <summary>Methods that are on such a thread's stack in this order, innermost first, by the ends of their names; "A|B" is one of the two, "Type.*" any of a type.</summary>
    public IReadOnlyList<string> In { get; init; } = [];

    /// <summary>Methods that are not on such a thread's stack.</summary>
    public IReadOnlyList<string> NotIn { get; init; } = [];

    /// <summary>How many threads are as said, neither more nor fewer.</summary>
    public int? Count { get; init; }

    /// <summary>How many threads are as said at the least.</summary>
    public int? AtLeast { get; init; }

    /// <summary>The type of an object whose monitor is held, as it ends.</summary>
    public string? Lock { get; init; }

    /// <summary>Who holds it, named as a thread is; "gone" for a thread that has ended.</summary>
    public string? Owner { get; init; }

    /// <summary>How many threads wait for it.</summary>
    public int? Waiters { get; init; }

    /// <summary>"whole" where no garbage collection is in the middle of its work.</summary>
    public string? Heap { get; init; }

    /// <summary>The only framework of which it is said, such as "net8.0"; null for all.</summary>
    public string? Framework { get; init; }

    /// <summary>The only kind of dump of which it is said, or "linux" for cores; null for all.</summary>
    public string? Dump { get; init; }

    public override string ToString()
        => Heap is not null ? $"the heap is {Heap}"
            : Lock is not null ? $"the monitor of {Lock} is held by {Owner ?? "somebody"}, with {Waiters?.ToString() ?? "any"} waiters"
            : $"{Number} {Thread ?? "any thread"} in {string.Join(" < ", In)}{(NotIn.Count > 0 ? $" and not in {string.Join(", ", NotIn)}" : "")}";

    private string Number => AtLeast is { } least ? $"at least {least}" : $"{Count ?? 1}";
}
