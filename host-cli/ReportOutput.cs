using HangTriage.Reports;
using HangTriage.Rules;

namespace HangTriage.Cli;

/// <summary>Brings a report to standard output or into a file.</summary>
internal static class ReportOutput
{
    /// <param name="host">The world.</param>
    /// <param name="analysis">What is reported.</param>
    /// <param name="plan">Where to, and how.</param>
    /// <param name="isQuiet">Say nothing of a file that is written.</param>
    /// <param name="before">Writes what stands before the report; gets the columns to wrap at.</param>
    public static int Write(Host host, Analysis analysis, ReportPlan plan, bool isQuiet, Action<TextWriter, int>? before = null)
    {
        plan.Write(host, (output, terminal) =>
        {
            before?.Invoke(output, terminal.Width);
            ReportFormat.Write(plan.Layout, analysis, output, terminal);
        });
        if (plan.File is not null && !isQuiet)
        {
            Verdict verdict = analysis.Result.Verdict;
            host.Error.WriteLine(Printable.Line($"triage: {plan.Name}: {verdict.Kind}, {verdict.Title}"));
        }

        return ExitCode.Of(analysis.Result);
    }
}
