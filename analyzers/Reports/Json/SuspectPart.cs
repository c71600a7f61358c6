namespace HangTriage.Reports.Json;

/// <summary>A wait whose end is unknown.</summary>
/// <param name="Kind">What it is for: signal, task, outside, runtime, lock.</param>
/// <param name="Weight">Why it matters; "none" where it does not decide.</param>
/// <param name="Title">Who waits where for what.</param>
/// <param name="Waiters">Who waits.</param>
internal sealed record SuspectPart(string Kind, string Weight, string Title, IReadOnlyList<PartyPart> Waiters);
