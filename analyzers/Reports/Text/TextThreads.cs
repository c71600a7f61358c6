using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Text;

/// <summary>The threads by processor time, as !runaway lists them, with what each was doing.</summary>
internal sealed class TextThreads(TriageResult result, TextLines lines, TextReportOptions options)
{
    public void Write()
    {
        if (result.Threads.Count == 0)
        {
            return;
        }

        if (!options.IsWhole && result.Threads.All(assessment => !assessment.Thread.Cpu.HasValue))
        {
            new TextThreadGroups(result, lines, options).Write();
            return;
        }

        lines.Blank();
        ThreadAssessment[] shown = [.. ThreadOrder.ByCpu(result.Threads).Take(options.MaxThreads)];
        int state = shown.Max(assessment => Words.Of(assessment.State).Length);
        int cpu = Math.Max(3, shown.Max(assessment => CpuText.Of(assessment.Thread.Cpu).Length));
        int id = Math.Max(2, shown.Max(assessment => assessment.Thread.OsId.ToString().Length));

        bool hasManaged = shown.Any(assessment => assessment.Thread.ManagedId is not null);
        string mark = result.Verdict.Culprit?.Thread is null ? string.Empty : ", > is the culprit";
        lines.Line(string.Create(CultureInfo.InvariantCulture, $"Threads by CPU time ({result.Threads.Count}{mark})"));
        string managedHead = hasManaged ? "  managed" : string.Empty;
        lines.Line(TextCut.To(lines.Width, $"      #  {"id".PadRight(id)}{managedHead}  {"CPU".PadLeft(cpu)}  {"state".PadRight(state)}  what"));
        foreach (ThreadAssessment assessment in shown)
        {
            ThreadFacts thread = assessment.Thread;
            string marker = thread.OsId == result.Verdict.Culprit?.Thread ? ">" : " ";
            string managed = hasManaged ? string.Create(CultureInfo.InvariantCulture, $"  {thread.ManagedId,7}") : string.Empty;
            string number = string.Create(CultureInfo.InvariantCulture, $"{marker} {thread.Index,5}  ");
            string doing = $"{managed}  {CpuText.Of(thread.Cpu).PadLeft(cpu)}  {Words.Of(assessment.State).PadRight(state)}  ";
            string padding = new(' ', id - thread.OsId.ToString().Length);
            lines.Line(TextCut.To(lines.Width, $"{number}{thread.OsId}{padding}{doing}{What(assessment)}"));
        }

        if (result.Threads.Count > shown.Length)
        {
            lines.Line(string.Create(CultureInfo.InvariantCulture, $"         and {result.Threads.Count - shown.Length} more"));
        }
    }

    private static Claim What(ThreadAssessment assessment)
    {
        ThreadFacts thread = assessment.Thread;
        string name = thread.Name.TryGet(out string? text) && text.Length > 0 ? $"\"{text}\" " : string.Empty;
        FrameFacts? frame = assessment.Frame ?? (thread.Stack.Frames is [FrameFacts top, ..] ? top : null);
        Claim doing = assessment.WaitsFor is { } waitsFor ? PlainLabel.Of(waitsFor.Label)
            : frame is not null ? (Claim)$"{SystemCallAt(thread, frame)}{Claim.Of(frame)}"
            : thread.Stack.Stopped is { } gap ? $"no stack: {gap.Why}"
            : Claim.Empty;
        return $"{name}{doing}";
    }

    // Where the frame does not say what the thread does.
    private static string SystemCallAt(ThreadFacts thread, FrameFacts frame)
        => (frame.Kind == FrameKind.Runtime || frame.Method is null)
            && thread.SystemCall is { } known && known.TryGet(out SystemCallFacts? call) && call.Name.TryGet(out string? name)
                ? $"{name} in "
                : string.Empty;
}
