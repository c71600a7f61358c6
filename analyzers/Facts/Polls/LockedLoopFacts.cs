using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>A thread that is under a lock in loops of which it was read whether they end.</summary>
public sealed record LockedLoopFacts
{
    public required ThreadId Thread { get; init; }

    /// <summary>The method with the loop.</summary>
    public required string Method { get; init; }

    /// <summary>Methods that have called it with further loops of which nothing is seen to end them, outwards.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Around { get; init; }

    /// <summary>
    /// Each loop ends for certain: by a count with a limit that stands, a clock, or the end of a collection of .NET's. Else nothing of
    /// this kind ends the loop.
    /// </summary>
    public bool IsLimited { get; init; }
}
