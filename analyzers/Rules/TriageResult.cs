using HangTriage.Facts;

namespace HangTriage.Rules;

/// <summary>All that reports are written from.</summary>
public sealed record TriageResult
{
    public required ProcessSnapshot Snapshot { get; init; }

    /// <summary>The earlier capture that the snapshot was compared with; null where there was none, or it is of another process.</summary>
    public ProcessSnapshot? Earlier { get; init; }

    /// <summary>A clause that says why the earlier capture that was given was not compared; null where it was, or none was given.</summary>
    public string? WhyEarlierIsNotUsed { get; init; }

    public required Verdict Verdict { get; init; }

    /// <summary>Everything that was found, the decisive finding first.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    public required IReadOnlyList<RuleReport> Rules { get; init; }

    /// <summary>Every thread of the snapshot, in its order; empty where the threads are a gap.</summary>
    public required IReadOnlyList<ThreadAssessment> Threads { get; init; }

    public bool HasFailedRule => Rules.Any(report => report.Outcome.Kind == RuleOutcomeKind.Failed);
}
