using System.Text.Json.Nodes;
using HangTriage.Cli;
using HangTriage.Cli.Commands;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Matrix;

/// <summary>Asks the tool for its verdict and compares it with what is declared.</summary>
internal static class Judge
{
    // What the tool says where a runtime's own library, which it has loaded, ends the process.
    private const string Crashed = "crashed on this input";

    public static Cell Compare(MatrixRun run, DumpKind kind, Func<ToolRun> tool)
    {
        ExpectedCell expected = run.Expected(kind);
        if (expected.IsSkipped)
        {
            return new Cell(run, kind, "not run") { Why = expected.Why };
        }

        ToolRun report = tool();
        return expected.Verdict is { } verdict
            ? new Cell(run, kind, verdict.Kind)
            {
                Why = expected.Why,
                Differences = ReportCheck.Differences(verdict, report, isAnyStart: run.Code == CodeState.Warm),
                Report = ReportOfHang(report),
            }
            : new Cell(run, kind, "gap") { Why = expected.Why, Differences = ReportCheck.Differences(expected.Gap!, report) };
    }

    /// <summary>The tool as a process, since a core's runtime library is loaded into the one that reads it.</summary>
    /// <param name="core">The core.</param>
    /// <param name="program">What it is a core of.</param>
    /// <param name="hasCrashed">That library has crashed, as .NET 9's does now and then on sound cores.</param>
    public static ToolRun OfCore(string core, string program, out bool hasCrashed)
    {
        ToolRun report = Tool.Run(["analyze", core, "--format", "json", .. DotNetPrograms.DacOptions(program)]);
        hasCrashed = report.Error.Contains(Crashed, StringComparison.Ordinal);
        return report;
    }

    /// <summary>A report with a signature, as a line of NDJSON; null where there is none.</summary>
    public static string? ReportOfHang(ToolRun report)
        => ReportCheck.SignatureOf(report) is null ? null : JsonNode.Parse(report.Out)!.ToJsonString();

    /// <summary>The tool's command line, in this process.</summary>
    public static ToolRun InProcess(string dump)
    {
        using StringWriter output = new();
        using StringWriter error = new();
        int code = CommandLine.Run(["analyze", dump, "--format", "json"], new Host { Out = output, Error = error });
        return new ToolRun(code, output.ToString(), error.ToString());
    }
}
