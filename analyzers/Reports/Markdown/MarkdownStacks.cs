using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Markdown;

/// <summary>The stacks of culprit and victims, and those of the other threads; each stack once.</summary>
internal sealed class MarkdownStacks(TriageResult result, MarkdownLines lines, MarkdownReportOptions options)
{
    public void Write()
    {
        IReadOnlyList<ThreadFacts> involved = Involved.Threads(result);
        if (involved.Count > 0)
        {
            lines.Heading(2, "Stacks of the threads involved");
            IReadOnlyList<StackGroup> different = StackGroup.InOrder(involved);
            foreach (StackGroup group in different.Take(options.MaxItems))
            {
                lines.Heading(3, Title(group) + CulpritIn(group));
                WriteStack(group.Threads[0].Stack, [.. group.Frames.Select(FrameText.Of)]);
            }

            More(different.Count - options.MaxItems, "different stacks");
        }

        IReadOnlyList<StackGroup> groups = StackGroup.Fold(result.Threads.Select(assessment => assessment.Thread).Except(involved));
        if (groups.Count > 0)
        {
            lines.Heading(2, involved.Count > 0 ? "Stacks of the other threads" : "Stacks");
            foreach (StackGroup group in groups.Take(options.MaxItems))
            {
                lines.Heading(3, Title(group));
                WriteStack(group.Threads[0].Stack, [.. group.Frames.Select(FrameText.Of)]);
            }

            More(groups.Count - options.MaxItems, "different stacks");
        }
    }

    private void WriteStack(StackFacts stack, IReadOnlyList<string> frames)
    {
        if (frames.Count > 0)
        {
            IEnumerable<string> shown = frames.Take(options.MaxFrames);
            lines.Code(frames.Count > options.MaxFrames
                ? shown.Append(string.Create(CultureInfo.InvariantCulture, $"... {frames.Count - options.MaxFrames} more frames"))
                : shown);
        }

        if (stack.Stopped is { } gap)
        {
            lines.Paragraph($"{(frames.Count > 0 ? "The stack ends here" : "No stack")}: {gap.What}: {gap.Why}");
        }
        else if (frames.Count == 0)
        {
            lines.Paragraph("No frames.");
        }
    }

    // The culprit's stack comes first, and it is the first of those that have it.
    private string CulpritIn(StackGroup group)
        => group.Threads[0].OsId != result.Verdict.Culprit?.Thread ? string.Empty : group.Threads.Count == 1 ? ", the culprit" : "; the first is the culprit";

    private string Title(StackGroup group)
    {
        IEnumerable<string> names = group.Threads.Take(options.MaxThreadsInTitle).Select(Involved.Label);
        int more = group.Threads.Count - options.MaxThreadsInTitle;
        string rest = more > 0 ? string.Create(CultureInfo.InvariantCulture, $" and {more} more") : string.Empty;
        string count = group.Threads.Count > 1 ? string.Create(CultureInfo.InvariantCulture, $"{group.Threads.Count} threads: ") : string.Empty;
        return count + string.Join(", ", names) + rest;
    }

    private void More(int count, string what)
    {
        if (count > 0)
        {
            lines.Paragraph(string.Create(CultureInfo.InvariantCulture, $"... and {count} more {what}."));
        }
    }
}
