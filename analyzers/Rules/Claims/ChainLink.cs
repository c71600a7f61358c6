namespace HangTriage.Rules.Claims;

/// <summary>One step of a wait chain.</summary>
/// <param name="From">Who waits, or what is held.</param>
/// <param name="Edge">How the two are joined: "waits for", "is held by".</param>
/// <param name="To">What is waited for, or who holds it.</param>
public sealed record ChainLink(Party From, string Edge, Party To);
