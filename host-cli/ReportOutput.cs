using HangTriage.Reports;
using HangTriage.Rules;

namespace HangTriage.Cli;

/// <summary>Brings a report to standard output or into a file.</summary>
internal static class ReportOutput
{
    public static int Write(Host host, Analysis analysis, ReportPlan plan, bool isQuiet)
    {
        plan.Write(host, (output, terminal) => ReportFormat.Write(plan.Layout, analysis, output, terminal));
        if (plan.File is not null && !isQuiet)
        {
            Verdict verdict = analysis.Result.Verdict;
            host.Error.WriteLine(Printable.Line($"triage: {plan.Name}: {verdict.Kind}, {verdict.Title}"));
        }

        return ExitCode.Of(analysis.Result);
    }
}
