using System.Text;
using HangTriage.Reports;
using HangTriage.Rules;

namespace HangTriage.Cli;

/// <summary>Brings a report to standard output or into a file.</summary>
internal static class ReportOutput
{
    public static int Write(Host host, Analysis analysis, ReportLayout layout, OutputFile? file, string? fileName, bool isQuiet)
    {
        if (file is null)
        {
            ReportFormat.Write(layout, analysis, host.Out, host.Terminal);
        }
        else
        {
            file.Write(stream =>
            {
                using StreamWriter writer = new(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true);
                ReportFormat.Write(layout, analysis, writer, Terminal.None);
            });
            if (!isQuiet)
            {
                Verdict verdict = analysis.Result.Verdict;
                host.Error.WriteLine(Printable.Line($"triage: {fileName}: {verdict.Kind}, {verdict.Title}"));
            }
        }

        return ExitCode.Of(analysis.Result);
    }
}
