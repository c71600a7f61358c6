using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>
/// A block of System.Threading.Tasks.Dataflow whose next item nobody takes: it has been offered to each target that the block is linked to,
/// and none has taken it or said that it will. All behind it waits, too.
/// </summary>
public sealed record StuckBlockFacts
{
    public required Address Address { get; init; }

    /// <summary>Its type, as "System.Threading.Tasks.Dataflow.TransformBlock&lt;Scan, Bag&gt;".</summary>
    public required string Type { get; init; }

    /// <summary>A field or variable that holds it, as "App.Plant._sorter"; null where none was found.</summary>
    public string? Field { get; init; }

    /// <summary>How many targets it is linked to.</summary>
    public required int Links { get; init; }

    /// <summary>
    /// The promises of SendAsync whose items it has no room for, itself or a block in front of it, at most some; null where they were not
    /// looked for.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<Address>? Waiting { get; init; }
}
