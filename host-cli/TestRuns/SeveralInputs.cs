using System.Diagnostics;
using HangTriage.Facts;
using HangTriage.Reports;

namespace HangTriage.Cli.TestRuns;

/// <summary>
/// Judges several inputs one after the other, each in a process of its own: what one of them does to a runtime's library is no matter of
/// the next. Their reports follow each other in one output; several JSON reports are what 'triage summary' reads.
/// </summary>
/// <param name="host">The world.</param>
/// <param name="command">The command and its options, without inputs and without an output.</param>
/// <param name="plan">Where the reports go.</param>
internal sealed class SeveralInputs(Host host, IReadOnlyList<string> command, ReportPlan plan)
{
    // The first that occurred is that of all.
    private static readonly int[] s_order = [ExitCode.Failed, ExitCode.Output, ExitCode.Hang, ExitCode.Input, ExitCode.Inconclusive, ExitCode.Done];

    /// <summary>True where the inputs are not one file.</summary>
    public static bool Are(IReadOnlyList<string> inputs) => inputs.Count != 1 || Directory.Exists(inputs[0]);

    /// <param name="inputs">Files and folders.</param>
    /// <returns>The first of 70, 73, 1, 65, 2 and 0 that occurred.</returns>
    /// <exception cref="OperationCanceledException">The host was cancelled.</exception>
    public int Run(IReadOnlyList<string> inputs)
    {
        HashSet<int> codes = [];
        plan.Write(host, (output, _) =>
        {
            foreach (string input in inputs)
            {
                try
                {
                    Run(input, output, codes);
                }
                catch (InputException e)
                {
                    host.Error.WriteLine($"triage: {Printable.Line(e.Message)}");
                    codes.Add(ExitCode.Input);
                }
            }
        });
        return s_order.First(codes.Contains);
    }

    private void Run(string input, TextWriter output, HashSet<int> codes)
    {
        if (!Directory.Exists(input))
        {
            codes.Add(Judge(input, output));
            return;
        }

        ResultsFolder folder = ResultsFolder.Read(input);
        WriteTests(folder.HungTests, output);
        foreach (string capture in folder.Captures)
        {
            codes.Add(Judge(capture, output));
        }
    }

    private void WriteTests(IReadOnlyList<TestFacts> tests, TextWriter output)
    {
        if (tests.Count == 0 || plan.Layout.Format == ReportFormat.Json)
        {
            return;
        }

        bool isMarkdown = plan.Layout.Format == ReportFormat.Markdown;
        output.Write($"{(tests.Count == 1 ? "1 test" : $"{tests.Count} tests")} had started and had not ended:\n");
        foreach (TestFacts test in tests)
        {
            string name = Printable.Line(test.ToString());
            output.Write(isMarkdown ? $"- {Code(name)}\n" : $"  {name}\n");
        }

        output.Write('\n');
    }

    private static string Code(string text) => $"`{text.Replace("`", "'", StringComparison.Ordinal)}`";

    private int Judge(string file, TextWriter output)
    {
        ProcessStartInfo start = WorkerProcess.Self([command[0], .. command.Skip(1), "--quiet", "--", file]);
        start.RedirectStandardOutput = true;
        output.Write(plan.Layout.Format switch
        {
            ReportFormat.Json => string.Empty,
            ReportFormat.Markdown => $"File: {Code(Printable.Line(file))}\n\n",
            _ => $"File: {Printable.Line(file)}\n\n",
        });
        using Process judge = Process.Start(start)!;
        Task<string> report = judge.StandardOutput.ReadToEndAsync(host.Cancellation);
        output.Write(report.GetAwaiter().GetResult());
        judge.WaitForExit();
        host.Cancellation.ThrowIfCancellationRequested();
        output.Write(plan.Layout.Format == ReportFormat.Json ? string.Empty : "\n");
        output.Flush();
        return s_order.Contains(judge.ExitCode) ? judge.ExitCode : ExitCode.Failed;
    }
}
