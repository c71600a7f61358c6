using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>A pool of connections of a client library that an async method waits for, or limiters with the permits that they may give.</summary>
/// <param name="Type">The type of the pool: "Npgsql.PoolingDataSource".</param>
/// <param name="Used">How many connections it has made, or permits given, and not got back.</param>
/// <param name="Most">How many there may be.</param>
/// <param name="Working">How many of them are in a command; null where the pool does not know.</param>
public sealed record FlowPool(string Type, int Used, int Most, int? Working)
{
    /// <summary>
    /// How many of those taken somebody still has who can give them back, where whoever waits for the pool himself does not count.
    /// Null where that was not followed.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Kept { get; init; }

    /// <summary>How many of those taken only those have who wait for another one of the pool. Null where that was not followed.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? LentToWaiters { get; init; }

    public bool IsUsedUp() => Most > 0 && Used >= Most;
}
