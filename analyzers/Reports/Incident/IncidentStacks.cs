using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Incident;

/// <summary>Each stack once, with the threads that show it: those of the verdict first, then the largest groups.</summary>
internal sealed class IncidentStacks(TriageResult result, IPage page, IncidentOptions options)
{
    private const int MostRanges = 8;

    public void Write()
    {
        IReadOnlyList<ThreadFacts> involved = Involved.Threads(result);
        IReadOnlyList<StackGroup> groups =
        [
            .. StackGroup.InOrder(involved, Shown),
            .. StackGroup.InOrder(result.Threads.Select(assessment => assessment.Thread).Except(involved), Shown).OrderByDescending(group => group.Threads.Count).ThenBy(group => group.Threads[0].Index),
        ];
        foreach (StackGroup group in groups.Take(options.MaxStacks))
        {
            page.Details($"Stack of {Title(group)}{CulpritIn(group)}", [.. group.Threads.Select(thread => thread.OsId)], () => WriteStack(group));
        }

        StackGroup[] rest = [.. groups.Skip(options.MaxStacks)];
        if (rest.Length > 0)
        {
            page.Paragraph($"And {Count.Of(rest.Length, "different stack")} of {Count.Of(rest.Sum(group => group.Threads.Count), "thread")}.");
        }
    }

    private void WriteStack(StackGroup group)
    {
        if (group.Frames.Count > 0)
        {
            Claim[] frames = [.. group.Frames.Take(options.MaxFrames).Select(Line)];
            int more = group.Frames.Count - options.MaxFrames;
            page.Code(more > 0 ? [.. frames, $"... {Count.Of(more, "more frame")}"] : frames);
        }

        if (group.Threads[0].Stack.Stopped is { } gap)
        {
            page.Paragraph($"{(group.Frames.Count > 0 ? "The stack ends here" : "No stack")}: {gap.What}: {gap.Why}");
        }
        else if (group.Frames.Count == 0)
        {
            page.Paragraph("No frames.");
        }
    }

    private static Claim Line(FrameFacts frame) => frame.Trust == Trust.Scanned ? $"{Claim.Of(frame)}  (guessed)" : Claim.Of(frame);

    private static string Title(StackGroup group)
        => group.Threads.Count == 1
            ? Involved.Label(group.Threads[0])
            : $"{group.Threads.Count} threads: {NumberRanges.Of(group.Threads.Select(thread => thread.Index), MostRanges)}";

    // The culprit's stack comes first, and it is the first of those that have it.
    private string CulpritIn(StackGroup group)
        => group.Threads[0].OsId != result.Verdict.Culprit?.Thread ? string.Empty : group.Threads.Count == 1 ? ", the culprit" : "; the first is the culprit";

    // The runtime's marks between its own frames tell its developers something.
    private static IReadOnlyList<FrameFacts> Shown(ThreadFacts thread)
    {
        FrameFacts[] code = [.. thread.Stack.Frames.Where(frame => frame.Kind != FrameKind.Runtime)];
        return code.Length == 0 ? thread.Stack.Frames : code;
    }
}
