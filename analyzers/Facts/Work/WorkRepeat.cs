namespace HangTriage.Facts;

/// <summary>
/// A loop that was proved to have no end: its instructions, run on from the capture in a copy of the memory, came back to a state in which
/// all that decides how it continues was the same, and no other code sets what it asks.
/// </summary>
/// <param name="Method">The method of the loop.</param>
/// <param name="Rounds">How often it came by until then.</param>
/// <param name="Instructions">How many instructions lie between the two states.</param>
public sealed record WorkRepeat(string Method, int Rounds, int Instructions);
