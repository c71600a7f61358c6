using HangTriage.Facts;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>Gaps by the hundred are a few lines to read: by reason, and counted.</summary>
public sealed class ManyGapsTests
{
    private const int Threads = 40;

    private static readonly string[] s_paths = ["Threads.Cpu", "Threads.StartedAt", "Threads.StartAddress", "Threads.Name", "Threads.Teb.IsLoadOwner"];

    [Fact]
    public void What_many_threads_lack_is_counted_in_every_format()
    {
        Gap gap = new("time used", "this core does not record it");

        TriageResult result = Triage.Judge(GapEverywhere.Put(Crowd(), "Threads.Cpu", gap));

        Assert.All(GapReports.Of(result).Take(3), report => Assert.Contains("time used (40)", report.Text, StringComparison.Ordinal));
        Assert.Contains("\"what\": \"time used\", \"why\": \"this core does not record it\", \"count\": 40", GapReports.Of(result).Last().Text, StringComparison.Ordinal);
    }

    [Fact]
    public void They_take_a_few_lines_of_the_report_of_a_crowd()
    {
        Case @case = s_paths.Aggregate(Crowd(), (rest, path) => GapEverywhere.Put(rest, path, new Gap(path, "this core does not record it")));

        Assert.InRange(NotInTheInput(@case, TextReportOptions.Default with { IsWhole = true }).Count, 1, 6);
    }

    [Fact]
    public void A_reason_for_each_thread_is_cut_like_every_list()
    {
        Case @case = OnEach(thread => new Gap("start address", $"page {thread.OsId} is missing"));

        IReadOnlyList<string> lines = NotInTheInput(@case, new TextReportOptions { MaxItems = 5, IsWhole = true });

        Assert.Equal(6, lines.Count);
        Assert.Matches(@"and \d+ more", lines[^1]);
    }

    [Fact]
    public void A_name_for_each_thread_is_cut_too()
    {
        Case @case = OnEach(thread => new Gap($"start address of {thread.OsId}", "this core does not record it"));

        IReadOnlyList<string> lines = NotInTheInput(@case, new TextReportOptions { MaxItems = 5, IsWhole = true });

        Assert.InRange(lines.Count, 1, 6);
        Assert.Contains("and 35 more", string.Join(' ', lines.Select(line => line.Trim())), StringComparison.Ordinal);
    }

    private static Case Crowd()
    {
        SnapshotBuilder builder = SnapshotBuilder.Windows();
        for (uint id = 0; id < Threads; id++)
        {
            builder.Thread(0x100 + id, "ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObjectEx", "app!work");
        }

        return Case.Of(builder.Build());
    }

    private static Case OnEach(Func<ThreadFacts, Gap> gap)
    {
        ProcessSnapshot snapshot = Crowd().Last;
        return Case.Of(snapshot with
        {
            Threads = Known.Read<IReadOnlyList<ThreadFacts>>([.. snapshot.Threads.Value.Select(thread => thread with { StartAddress = Known<Address>.Unknown(gap(thread)) })]),
        });
    }

    private static IReadOnlyList<string> NotInTheInput(Case @case, TextReportOptions options)
    {
        using StringWriter output = new();
        TextReport.Write(Triage.Judge(@case), output, options);
        return [.. output.ToString().Split('\n').SkipWhile(line => line != "Not in the input").Skip(1).TakeWhile(line => line.Length > 0)];
    }
}
