using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>What was looked at to say who can still end the waits of a .NET process.</summary>
public sealed record ReachFacts
{
    /// <summary>
    /// No code of the program runs or is known to run again: no thread that works or waits with a timeout, no timer, no operation of
    /// the system, nothing queued, no handler of a signal. So nothing uses what only static fields lead to.
    /// </summary>
    public required bool IsQuiet { get; init; }

    /// <summary>What runs or will run, the first that was found; null where nothing does.</summary>
    public string? Runs { get; init; }

    /// <summary>
    /// Methods of the program that took one thing after the other out of a queue, a channel or a connection, have ended with an exception,
    /// and are not begun again; null for none.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<FailedGiver>? FailedConsumers { get; init; }

    /// <summary>How many objects that are waited for were followed.</summary>
    public required int Followed { get; init; }
}
