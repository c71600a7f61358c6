using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>Who has an entry of a semaphore: a thread or a suspended async method.</summary>
public sealed record EntryHolder
{
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ThreadId? Thread { get; init; }

    /// <summary>The box of the async method.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Address? Flow { get; init; }
}
