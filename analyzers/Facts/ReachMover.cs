using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>Code of the program that leads to what is waited for and continues by itself.</summary>
public sealed record ReachMover
{
    /// <summary>A thread that works or waits with a timeout; null for an async method.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ThreadId? Thread { get; init; }

    /// <summary>The object of an async method that a timer or the pool continues, as <see cref="FlowGroup.Sample"/>.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Address? Flow { get; init; }

    /// <summary>
    /// The type of what continues behind the outermost of the async methods that await it; null where nothing does, and for a thread.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ContinuedBy { get; init; }

    /// <summary>
    /// It pauses in the middle of something that it has taken to work on, and on some way comes to a call that ends the wait before it
    /// takes the next. Where what is waited for is filed under a key, it has that key.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool HasInHand { get; init; }
}
