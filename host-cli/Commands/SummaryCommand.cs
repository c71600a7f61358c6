using System.CommandLine;
using HangTriage.Capture;
using HangTriage.Capture.Files;
using HangTriage.Reports;
using HangTriage.Reports.Summary;

namespace HangTriage.Cli.Commands;

internal sealed class SummaryCommand : Command, IHasExamples
{
    public const string CommandName = "summary";

    private const string StandardInput = "-";
    private static readonly string[] s_patterns = ["*.json", "*.ndjson", "*.jsonl"];

    public SummaryCommand(Host host)
        : base(CommandName, "Group JSON reports by the signature of their hangs: how often, since when, where.")
    {
        Argument<string[]> reports = new("REPORTS")
        {
            Description = "Files of --format json: one report a file, or one a line. A folder stands for its .json, .ndjson and .jsonl files, - for standard input.",
            Arity = ArgumentArity.OneOrMore,
        };
        Option<string?> format = SharedOptions.Format(ReportFormat.Text, ReportFormat.Plain);
        Option<string?> output = SharedOptions.Output();
        Arguments.Add(reports);
        Options.Add(format);
        Options.Add(output);
        SetAction(parsed =>
        {
            string[] inputs = parsed.GetRequiredValue(reports);
            ReportPlan plan = ReportPlan.Of(parsed.GetValue(output), parsed.GetValue(format), ReportFormat.Text, inputs).WithoutPage("A summary is");

            SummaryTable table = new();
            foreach (string input in inputs)
            {
                Read(host, input, table);
            }

            foreach (string place in table.BadPlaces)
            {
                host.Error.WriteLine(Printable.Line($"triage: {place}"));
            }

            plan.Write(host, (writer, terminal) => Write(plan.Layout.Format, table, writer, terminal.Width));
            return table.Reports > 0 ? ExitCode.Done : throw new InputException(inputs[0], new InvalidDataException("there is no report in the input"));
        });
    }

    public IReadOnlyList<string> ExitCodes { get; } =
    [
        "0   reports were read; lines that are none are counted and named",
        ExitCodeLines.Usage,
        "65  an input cannot be read, or no report is in it",
        ExitCodeLines.Output,
        ExitCodeLines.Interrupted,
    ];

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage summary reports/",
        "triage summary monday.ndjson tuesday.ndjson -o week.md",
        "triage analyze core.1234 --format json | triage summary -",
        "triage summary reports/*.json --format json",
    ];

    private static void Read(Host host, string input, SummaryTable table)
    {
        try
        {
            if (Directory.Exists(input))
            {
                foreach (string file in s_patterns.SelectMany(pattern => Directory.EnumerateFiles(input, pattern)).Distinct().Order(StringComparer.Ordinal))
                {
                    ReadFile(host, file, table);
                }

                return;
            }

            if (input == StandardInput)
            {
                new ReportLines(host.In(), "standard input", table).Read(host.Cancellation);
                return;
            }

            ReadFile(host, input, table);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new InputException(input, e);
        }
    }

    private static void ReadFile(Host host, string file, SummaryTable table)
    {
        try
        {
            using FileStream stream = PlainFile.OpenStream(file);
            new ReportLines(stream, file, table).Read(host.Cancellation);
        }
        catch (TargetOpenException e)
        {
            throw new InputException(file, e);
        }
    }

    private static void Write(string format, SummaryTable table, TextWriter output, int width)
    {
        switch (format)
        {
            case ReportFormat.Json:
                SummaryJson.Write(table, output);
                break;
            case ReportFormat.Markdown:
                SummaryMarkdown.Write(table, output);
                break;
            default:
                SummaryText.Write(table, output, width);
                break;
        }
    }
}
