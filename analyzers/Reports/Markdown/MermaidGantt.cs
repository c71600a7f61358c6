using System.Globalization;
using System.Text;
using HangTriage.Facts;
using HangTriage.Reports.Traces;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Markdown;

/// <summary>Writes threads over time in the language of Mermaid.</summary>
internal static class MermaidGantt
{
    /// <summary>Bars of one thread: the longest of its times.</summary>
    private const int MostBars = 10;

    /// <summary>Null where no thread has a time to draw.</summary>
    /// <param name="bars">The threads.</param>
    /// <param name="window">The trace's length: a time of less than a two-hundredth of it would not be seen.</param>
    public static string? Of(IReadOnlyList<ThreadBar> bars, TimeSpan window)
    {
        StringBuilder text = new("gantt\n  dateFormat x\n  axisFormat %s s\n");
        int drawn = 0;
        foreach (ThreadBar bar in bars)
        {
            TracePiece[] pieces =
            [
                .. bar.Thread.Timeline
                    .Where(piece => piece.Length >= window / 200 && Start(piece) < End(piece))
                    .OrderByDescending(piece => piece.Length).Take(MostBars)
                    .OrderBy(piece => piece.From),
            ];
            if (pieces.Length > 0)
            {
                text.Append(CultureInfo.InvariantCulture, $"  section {Mermaid.Escape(bar.Name)}\n");
            }

            foreach (TracePiece piece in pieces)
            {
                drawn++;
                text.Append(CultureInfo.InvariantCulture, $"  {Words(bar.Thread, piece)} :{Style(piece.State)}{Start(piece)}, {End(piece)}\n");
            }
        }

        return drawn > 0 ? text.ToString() : null;
    }

    private static string Words(TraceThread thread, TracePiece piece)
    {
        TraceWait? wait = thread.LongestWait is { } longest && piece.State == TraceThreadState.Waiting && longest.From == piece.From ? longest : null;
        string by = wait is not null && wait.By.TryGet(out TraceReadiedBy? who) && who.ProcessName.TryGet(out string? name) ? $", ended by {name}" : string.Empty;
        string what = piece.State switch
        {
            TraceThreadState.Running => "runs",
            TraceThreadState.Ready => "ready",
            _ => $"waits{(wait?.Tag is { } tag ? $", {tag}" : string.Empty)}{by}",
        };
        return Mermaid.Escape($"{what} {Durations.Of(piece.Length)}");
    }

    private static string Style(TraceThreadState state) => state switch
    {
        TraceThreadState.Running => "active, ",
        TraceThreadState.Ready => "crit, ",
        _ => "done, ",
    };

    private static long Start(TracePiece piece) => (long)piece.From.TotalMilliseconds;

    private static long End(TracePiece piece) => (long)(piece.From + piece.Length).TotalMilliseconds;
}
