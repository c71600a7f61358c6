using HangTriage.Facts;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>All that reports are written from.</summary>
public sealed record TriageResult
{
    public required Case Case { get; init; }

    /// <summary>The sample that was judged.</summary>
    public ProcessSnapshot Snapshot => Case.Last;

    public required Verdict Verdict { get; init; }

    /// <summary>The row of the policy that made the verdict; null in results that were not judged.</summary>
    public PolicyRow? Row { get; init; }

    /// <summary>Everything that was found, the decisive finding first.</summary>
    public required IReadOnlyList<Finding> Findings { get; init; }

    public required IReadOnlyList<RuleReport> Rules { get; init; }

    /// <summary>Every thread of the snapshot, in its order; empty where the threads are a gap.</summary>
    public required IReadOnlyList<ThreadAssessment> Threads { get; init; }

    /// <summary>The tests that the process runs, where it is a test host; empty where none is seen.</summary>
    public IReadOnlyList<TestFacts> Tests { get; init; } = [];

    public bool HasFailedRule => Rules.Any(report => report.Outcome.Kind == RuleOutcomeKind.Failed);
}
