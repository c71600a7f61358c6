using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Reports.Requests;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Incident;

/// <summary>The folded parts, what people open most first.</summary>
internal sealed class IncidentDetails(TriageResult result, IPage page, IncidentOptions options)
{
    private const string Seconds = "0.000";

    public void Write()
    {
        page.Heading("Details");
        if (!result.Case.IsTraceAlone)
        {
            new IncidentStacks(result, page, options).Write();
        }

        WriteCpu();
        new IncidentLocks(result, page, options).Write();
        WriteRequests();
        WriteFlows();
        WriteCaptures();
        Table("Process and input", Process());
        WriteOthers();
    }

    private void WriteCpu()
    {
        ThreadAssessment[] busiest = [.. ThreadOrder.ByCpu(result.Threads).Where(thread => thread.Thread.Cpu.HasValue)];
        if (busiest.Length == 0)
        {
            return;
        }

        page.Details("CPU time of threads", [], () =>
        {
            page.Table(
                ["Thread", "CPU time", "State"],
                [.. busiest.Take(options.MaxItems).Select(thread => (IReadOnlyList<Claim>)[Involved.Name(thread.Thread), CpuText.Detail(thread.Thread.Cpu) ?? "?", Words.Of(thread.State)])]);
            More(busiest.Length, "threads");
        });
    }

    private void WriteRequests()
    {
        if (ShownRequests.FactsOf(result.Snapshot) is not { } facts)
        {
            return;
        }

        IReadOnlyList<RequestGroup> groups = ShownRequests.Of(result.Snapshot);
        page.Details(RequestText.Heading(facts), [], () =>
        {
            page.List([.. groups.Take(options.MaxItems).Select(group => (Claim)RequestText.Of(group))], isNumbered: false);
            if (groups.Skip(options.MaxItems).Sum(group => group.Count) + facts.Omitted is > 0 and int left)
            {
                page.Paragraph(string.Create(CultureInfo.InvariantCulture, $"And {left} more."));
            }
        });
    }

    private void WriteFlows()
    {
        IReadOnlyList<FlowGroup> shown = ShownFlows.Of(result.Snapshot);
        if (shown.Count == 0)
        {
            return;
        }

        page.Details($"Suspended async methods ({shown.Sum(group => (long)group.Count)})", [], () =>
        {
            page.List(
                [.. shown.Take(options.MaxItems).Select(group => (Claim)string.Join(
                    "; awaited by ", new[] { AgeText.WithAge(group), FlowText.AwaitedBy(group) }.OfType<string>()))],
                isNumbered: false);
            if (ShownFlows.Rest(result.Snapshot, shown, options.MaxItems) is { } rest)
            {
                page.Paragraph($"And {rest}.");
            }
        });
    }

    private void WriteCaptures()
    {
        (ProcessSnapshot Sample, SampleJoin Join)[] earlier = [.. result.Case.Earlier];
        if (earlier.Length > 0)
        {
            page.Details("Captures", [], () => page.List(
                [.. earlier.Select(pair => (Claim)$"{TargetText.CapturedAt(pair.Sample.Target) ?? "at an unknown time"}: {Words.Of(pair.Sample.Target.Kind)}"), $"{TargetText.CapturedAt(result.Snapshot.Target) ?? "at an unknown time"}: the one that is judged"],
                isNumbered: true));
        }
    }

    private IEnumerable<(string, string?)> Process()
    {
        TargetFacts target = result.Snapshot.Target;
        return
        [
            ("Process", TargetText.Process(target)),
            ("System", TargetText.Machine(target)),
            (".NET", TargetText.Runtimes(target)),
            ("Input", Words.Of(target.Kind)),
            ("Input's hash", options.InputHash),
            ("Process started", TargetText.StartedAt(target)),
            ("Captured", TargetText.CapturedAt(target)),
            ("Samples", TargetText.Samples(result.Case)),
            ("Trace", TargetText.Trace(result.Case)),
            ("Pause", TargetText.StoodStill(result.Case)),
            ("Threads", result.Snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads) ? threads.Count.ToString(CultureInfo.InvariantCulture) : null),
            ("Rules", RulesText.Outcomes(result.Rules)),
            ("Signature", $"{result.Verdict.Signature.Hash}: {result.Verdict.Signature.Text}"),
            ("Tool", options.ToolVersion),
            ("Time taken", options.Timings.Count == 0 ? null : string.Join(", ", options.Timings.Select(step => $"{step.Key} {step.Value.TotalSeconds.ToString(Seconds, CultureInfo.InvariantCulture)} s"))),
        ];
    }

    private void WriteOthers()
    {
        IReadOnlyList<UnseenGroup> others = Unseen.Others(result);
        if (others.Count > 0)
        {
            page.Details("Not in the input", [], () =>
            {
                page.List([.. others.Take(options.MaxItems).Select(group => (Claim)group.ToText(options.MaxItems))], isNumbered: false);
                More(others.Count, "reasons");
            });
        }
    }

    private void Table(string title, IEnumerable<(string Name, string? Value)> rows)
        => page.Details(title, [], () => page.Box([.. rows.Where(row => row.Value is not null).Select(row => (row.Name, (Claim)row.Value!))]));

    private void More(int count, string what)
    {
        if (count > options.MaxItems)
        {
            page.Paragraph($"And {count - options.MaxItems} more {what}.");
        }
    }
}
