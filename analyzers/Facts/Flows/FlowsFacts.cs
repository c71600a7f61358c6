using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>
/// The async methods of a .NET process that are suspended at an await: the async twin of the list of threads. A method that a
/// thread runs at the moment is not among them, nor an async iterator that is parked at a yield.
/// </summary>
public sealed record FlowsFacts
{
    /// <summary>The suspended methods, coalesced, the largest group first. Those that wait for another async method of the list are groups too.</summary>
    public required IReadOnlyList<FlowGroup> Groups { get; init; }

    /// <summary>How many methods are suspended: those of all groups, and those of groups beyond the limit.</summary>
    public required int Suspended { get; init; }

    /// <summary>How many of <see cref="Suspended"/> are in groups beyond the limit, which are left out.</summary>
    public required int Omitted { get; init; }

    /// <summary>
    /// How many more nothing refers to but themselves and what they wait for: garbage that the next collection frees. They are
    /// in no group.
    /// </summary>
    public required int Unreachable { get; init; }

    /// <summary>
    /// The methods of these, but for .NET's own: they were suspended in the middle, and nobody can continue them. At most some; null for none.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Abandoned { get; init; }

    /// <summary>How many more could not be read: their objects are damaged or not in the input.</summary>
    public required int Unreadable { get; init; }

    /// <summary>
    /// Two captures of a process with the same mark have no collection between them that moved objects: an address stands for the same
    /// object in both. Null in facts of before this was read.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? HeapMark { get; init; }
}
