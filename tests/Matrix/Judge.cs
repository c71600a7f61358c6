using HangTriage.Cli;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Matrix;

/// <summary>Asks the tool for its verdict and compares it with what is declared.</summary>
internal static class Judge
{
    public static Cell Compare(MatrixRun run, DumpKind kind, Func<ToolRun> tool)
    {
        ExpectedCell expected = run.Expected(kind);
        if (expected.IsSkipped)
        {
            return new Cell(run, kind, "not run") { Why = expected.Why };
        }

        ToolRun report = tool();
        return expected.Verdict is { } verdict
            ? new Cell(run, kind, verdict.Kind) { Why = expected.Why, Differences = ReportCheck.Differences(verdict, report) }
            : new Cell(run, kind, "gap") { Why = expected.Why, Differences = ReportCheck.Differences(expected.Gap!, report) };
    }

    /// <summary>The tool's command line, in this process.</summary>
    public static ToolRun InProcess(string dump)
    {
        using StringWriter output = new();
        using StringWriter error = new();
        int code = CommandLine.Run(["analyze", dump, "--format", "json"], new Host { Out = output, Error = error });
        return new ToolRun(code, output.ToString(), error.ToString());
    }
}
