using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>What ended the process, or would have: the input was written because of it, and not because of a hang.</summary>
/// <param name="Code">The code of the exception (Windows), or the number of the signal (Linux).</param>
/// <param name="Name">As "access violation", "SIGSEGV"; empty where the code has no known name.</param>
/// <param name="Thread">The thread in which it happened; null where that is not recorded.</param>
public sealed record CrashFacts(uint Code, string Name,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] ThreadId? Thread)
{
    /// <summary>Where it came from.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public CrashOrigin Origin { get; init; }

    /// <summary>
    /// The last exception of .NET that the thread threw, which it may have handled; null where there is none or it was not read.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ThrownException? Exception { get; init; }
}
