using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>Something that could not be seen, and why.</summary>
/// <param name="What">What is missing, as a noun phrase: "loader lock".</param>
/// <param name="Why">Why it could not be read, in words for the person who made the dump.</param>
public sealed record Gap(string What, string Why)
{
    /// <summary>
    /// True where something that the judgement reads of threads, stacks, sync blocks, heap or runtime data is damaged or
    /// cut off: no verdict of health stands beside it.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsLoss { get; init; }

    /// <summary>It is so of this sample of a live process, and need not be of the next.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsPassing { get; init; }

    public override string ToString() => $"{What}: {Why}";
}
