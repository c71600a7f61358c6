namespace HangTriage.Facts;

/// <summary>
/// A loop of machine code that a frame is in, with what decides how it continues. Only for code that nothing else can change the course of:
/// it asks no clock, no file, no other thread. What is compared is kept as hashes.
/// </summary>
/// <param name="Start">Its first instruction.</param>
/// <param name="Place">
/// Where in a round the thread is, as a number: from a higher one there is no way to a lower one but over the start. The same all through a
/// loop within it.
/// </param>
public sealed record WorkRound(Address Start, int Place)
{
    /// <summary>Of the variables and objects that decide, from here on, how it continues; null where they could not be read.</summary>
    public string? State { get; init; }

    /// <summary>Of those that it carries from round to round; null where they could not be read.</summary>
    public string? Carried { get; init; }

    /// <summary>
    /// Of the variables that it sets and that decide nothing, as a count of its rounds: another value in one place shows that a round has
    /// passed. Null where it has none.
    /// </summary>
    public string? Counts { get; init; }
}
