using System.Text;
using HangTriage.Reports;
using HangTriage.Rules;

namespace HangTriage.Cli;

/// <summary>Brings a report to standard output or into a file.</summary>
internal static class ReportOutput
{
    public static int Write(Host host, Analysis analysis, ReportPlan plan, bool isQuiet)
    {
        if (plan.File is not { } file)
        {
            ReportFormat.Write(plan.Layout, analysis, host.Out, host.Terminal);
        }
        else
        {
            file.Write(stream =>
            {
                using StreamWriter writer = new(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true);
                ReportFormat.Write(plan.Layout, analysis, writer, Terminal.None);
            });
            if (!isQuiet)
            {
                Verdict verdict = analysis.Result.Verdict;
                host.Error.WriteLine(Printable.Line($"triage: {plan.Name}: {verdict.Kind}, {verdict.Title}"));
            }
        }

        return ExitCode.Of(analysis.Result);
    }
}
