using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using Microsoft.Diagnostics.DebugServices;

namespace HangTriage.DotnetDump;

/// <summary>The triage command of dotnet-dump and of SOS: captures the host's target, judges it and prints the verdict.</summary>
/// <remarks>
/// Its base class and the types of its attributes are in every host. A host reads all public types of this assembly when it
/// starts, and one that needs a type which the host lacks would end it.
/// </remarks>
[Command(Name = "triage", Help = "Names the culprit of a hang: who waits for whom, and what the last one does.")]
public sealed class TriageCommand : CommandBase
{
    private const int DefaultSeconds = 120;

    private bool _isJudged;

    [Option(Name = "--verbose", Aliases = ["-v"], Help = "Show every thread, stack and list whole.")]
    public bool Verbose { get; set; }

    [Option(Name = "--hung", Aliases = ["-hung"], Help = "You know that it hangs: where nothing is proven the best suspect is the verdict.")]
    public bool Hung { get; set; }

    [Option(Name = "--deep", Help = "Look at every object of the heap too; takes longer.")]
    public bool Deep { get; set; }

    [Option(Name = "--trace", Aliases = ["-trace"], Help = "A trace of the same time (.etl, or the text of 'perf script'): who ran and who waited when.")]
    public string? Trace { get; set; }

    [Option(Name = "--json", Aliases = ["-json"], Help = "Write the report as JSON to this file too.")]
    public string? Json { get; set; }

    [Option(Name = "--markdown", Aliases = ["-md"], Help = "Write the incident report as Markdown to this file too.")]
    public string? Markdown { get; set; }

    [Option(Name = "--timeout", Aliases = ["-t"], Help = "Stop after so many seconds (120); 0 for no limit.")]
    public int Timeout { get; set; } = DefaultSeconds;

    public override void Invoke()
    {
        using Budget budget = Budget.Of(Timeout, Console.CancellationToken);
        try
        {
            Run(budget.Token);
        }
        catch (OperationCanceledException) when (budget.Token.IsCancellationRequested)
        {
            // Not by a method that checks for cancellation itself.
            Write($"triage: stopped: {budget.WhyStopped}; {(_isJudged ? "the report above is not whole" : "there is no verdict")}\n");
        }
        catch (TargetOpenException e)
        {
            throw Failure(e.Message, e);
        }
        catch (Exception e) when (e is not DiagnosticsException)
        {
            // The host shows a user its own frames only, and not where this arose.
            throw Failure($"internal error: {e.GetType().Name}: {e.Message}", e);
        }
    }

    [HelpInvoke]
    public static string GetDetailedHelp() => Usage.Text;

    private void Run(CancellationToken cancellation)
    {
        ReportFile[] files = [.. ReportFile.Plan(Json, JsonOf), .. ReportFile.Plan(Markdown, (result, output) => MarkdownReport.Write(result, output))];
        TraceInput? trace = TraceInput.Of(Trace);
        ProcessSnapshot snapshot = new HostedTarget(Services).Capture(Deep, cancellation);
        cancellation.ThrowIfCancellationRequested();
        Case @case = Case.Of(snapshot) with { IsSaidToHang = Hung };
        @case = trace?.Join(@case, cancellation) ?? @case;
        TriageResult result = Triage.Judge(@case);
        _isJudged = true;
        foreach (ReportFile file in files)
        {
            file.Write(result);
        }

        using CommandOutput output = new(Write, cancellation);
        if (@case.Trace?.Refusal is { } refusal)
        {
            output.WriteLine(Printable.Ascii($"triage: {refusal}"));
        }

        TextReport.Write(result, output, Verbose ? TextReportOptions.Whole : null);
        foreach (ReportFile file in files)
        {
            output.WriteLine(Printable.Ascii($"Written {file.Path}"));
        }
    }

    private static void JsonOf(TriageResult result, TextWriter output)
        => JsonReport.Write(result, output, new JsonReportOptions(Version.Text, new Dictionary<string, TimeSpan>()));

    private static DiagnosticsException Failure(string message, Exception reason) => new(Printable.Ascii($"triage: {message}"), reason);
}
