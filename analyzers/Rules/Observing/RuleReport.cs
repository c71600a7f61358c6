namespace HangTriage.Rules.Observing;

/// <summary>A rule and how it ended.</summary>
public sealed record RuleReport(RuleInfo Rule, RuleOutcome Outcome);
