using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Text;

/// <summary>The stacks that the verdict speaks of, innermost frame first, each once; the incident report has all of them.</summary>
internal sealed class TextStacks(TriageResult result, TextLines lines, TextReportOptions options)
{
    public void Write()
    {
        IEnumerable<ThreadFacts> threads = Threads().Where(thread => thread.Stack.Frames.Count > 0);
        foreach (StackGroup group in StackGroup.InOrder(threads, Shown).Take(options.MaxStacks))
        {
            lines.Blank();
            lines.Wrapped(string.Empty, Title(group.Threads), hanging: 2);
            foreach (FrameFacts frame in group.Frames.Take(options.MaxFrames))
            {
                lines.Wrapped("  ", $"{Claim.Of(frame)}{(frame.Trust == Trust.Scanned ? "  (guessed)" : string.Empty)}", hanging: 4);
            }

            if (group.Frames.Count > options.MaxFrames)
            {
                lines.Line(string.Create(CultureInfo.InvariantCulture, $"  and {group.Frames.Count - options.MaxFrames} more"));
            }

            if (group.Threads[0].Stack.Stopped is { } gap)
            {
                lines.Wrapped("  ", $"(ends here: {gap.What}: {gap.Why})", hanging: 1);
            }
        }
    }

    private Claim Title(IReadOnlyList<ThreadFacts> threads)
        => threads.Count == 1 ? $"Stack of {Involved.Name(threads[0])}" : $"Stack of {Crowds.Name(threads, options.MaxItems)}";

    // The runtime's marks between its own frames tell its developers something.
    private IReadOnlyList<FrameFacts> Shown(ThreadFacts thread)
    {
        FrameFacts[] code = [.. thread.Stack.Frames.Where(frame => frame.Kind != FrameKind.Runtime)];
        return options.IsWhole || code.Length == 0 ? thread.Stack.Frames : code;
    }

    private IEnumerable<ThreadFacts> Threads()
        => options.IsWhole
            ? Involved.Threads(result).Concat(result.Threads.Select(assessment => assessment.Thread)).DistinctBy(thread => thread.OsId)
            : Involved.Threads(result);
}
