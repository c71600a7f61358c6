using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Text;

/// <summary>The stacks that the verdict speaks of, innermost frame first; the incident report has all of them.</summary>
internal sealed class TextStacks(TriageResult result, TextLines lines, TextReportOptions options)
{
    public void Write()
    {
        foreach (ThreadFacts thread in Threads().Where(thread => thread.Stack.Frames.Count > 0).Take(options.MaxStacks))
        {
            lines.Blank();
            lines.Line($"Stack of {Involved.Name(thread)}");
            IReadOnlyList<FrameFacts> frames = thread.Stack.Frames;
            foreach (FrameFacts frame in frames.Take(options.MaxFrames))
            {
                lines.Line($"  {Claim.Of(frame)}{(frame.Trust == Trust.Scanned ? "  (guessed)" : string.Empty)}");
            }

            if (frames.Count > options.MaxFrames)
            {
                lines.Line(string.Create(CultureInfo.InvariantCulture, $"  and {frames.Count - options.MaxFrames} more"));
            }

            if (thread.Stack.Stopped is { } gap)
            {
                lines.Wrapped("  ", $"(ends here: {gap.What}: {gap.Why})", hanging: 1);
            }
        }
    }

    private IEnumerable<ThreadFacts> Threads()
        => options.EveryStack
            ? Involved.Threads(result).Concat(result.Threads.Select(assessment => assessment.Thread)).DistinctBy(thread => thread.OsId)
            : Involved.Threads(result);
}
