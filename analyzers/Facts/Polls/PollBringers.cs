using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>
/// Who could still change a field that a loop looks at, by the calls in the program's own instructions: more than can in truth, since
/// every overload, override and delegate of a name counts.
/// </summary>
public sealed record PollBringers
{
    /// <summary>The methods that write the field, constructors and the loop itself left out.</summary>
    public required IReadOnlyList<string> Writers { get; init; }

    /// <summary>The threads that can come to one of them from where they are.</summary>
    public required IReadOnlyList<ThreadId> Threads { get; init; }

    /// <summary>A suspended async method can come to one.</summary>
    public required bool IsByFlow { get; init; }

    /// <summary>A delegate of the heap leads to one: a timer, an event or queued work may call it.</summary>
    public required bool IsByDelegate { get; init; }

    /// <summary>A delegate that something outside the program's own code calls leads to one: a timer, a signal, a watcher.</summary>
    public required bool IsByCallback { get; init; }

    /// <summary>
    /// Threads in a block at whose end one of the writers is called: they have taken what the loop tries for, and give it back there. Null
    /// where the loop tries for no lock, or none is.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<PollHolder>? Holders { get; init; }
}
