using System.Globalization;
using System.IO.Compression;
using System.Text;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Traces;
using HangTriage.Traces.Files;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>
/// Switches that Linux made and perf recorded (three busy processes and two sleeping threads on two processors; names of
/// others are taken out), against what perf's own <c>perf sched timehist --state</c> says of the same recording.
/// </summary>
public sealed partial class PerfTests
{
    private const double AllowedShare = 0.01;

    /// <summary>perf prints milliseconds with three digits: each row is rounded.</summary>
    private const double Rounding = 0.000_5;

    /// <summary>perf 6.1 prints R+ (preempted) of a newer kernel so: the recording has 3 of each.</summary>
    private const string PreemptedAsPrinted = "W";

    /// <summary>Threads whose last run timehist names with their id: of some that end it has -1 for it.</summary>
    [Fact]
    public void Running_and_ready_are_those_of_perf_itself()
    {
        TraceFacts facts = TraceFile.Read(Recorded("switches.txt.gz"), TraceContext.Default);
        int compared = 0;
        foreach (IGrouping<uint, Row> rows in Rows().GroupBy(row => row.Tid).Where(rows => rows.Any(row => row.Name == "python3") && rows.Last().State is "X" or "Z"))
        {
            TraceThread thread = facts.Thread(rows.Key);
            (double run, double ready) = Sums([.. rows]);
            AssertNear(run, thread.Times.Value.Running.TotalMilliseconds, rows.Count(), $"running of {rows.Key}");
            AssertNear(ready, thread.Times.Value.Ready.TotalMilliseconds, rows.Count(), $"ready of {rows.Key}");
            Assert.Equal(thread.To - thread.From, thread.Times.Value.Running + thread.Times.Value.Ready + thread.Times.Value.Waiting);
            compared++;
        }

        Assert.True(compared >= 4, $"{compared} threads");
    }

    [Fact]
    public void Processes_processors_and_reasons_are_known()
    {
        TraceFacts facts = TraceFile.Read(Recorded("switches.txt.gz"), TraceContext.Default);

        Assert.Equal(TraceKind.Perf, facts.Kind);
        Assert.Equal(2, facts.Processors.Value);
        Assert.Contains(facts.Processes, process => process.Name.Is(name => name == "python3") && process.Cpu.Value > TimeSpan.FromMilliseconds(100));
        Assert.Contains(facts.Threads, thread => thread.WaitReasons is [{ Name: "Interruptible", Count: >= 20 }, ..]);
        Assert.DoesNotContain(facts.Gaps, gap => gap.What == "lines");
    }

    [Theory]
    [InlineData("no trace at all\n")]
    [InlineData("x 1/1 [000] 1.5: sched:sched_switch: damaged\n")]
    [InlineData("x 1/1 [000] 99999999999999999.5: sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=1 prev_state=S ==> next_comm=b next_pid=2 next_prio=3\n")]
    [InlineData("# sched:sched_switch\n x [000] 1.5: sched:sched_switch: \n [] [[[ ] [1] sched:sched_switch")]
    public void A_text_without_a_switch_is_refused_in_one_line(string text)
    {
        TraceOpenException refused = Assert.Throws<TraceOpenException>(() => EtlFile.Read(Encoding.UTF8.GetBytes(text)));

        Assert.DoesNotContain('\n', refused.Message);
    }

    /// <summary>A program names its threads, and a name can look like the fields behind it.</summary>
    [Fact]
    public void A_name_that_looks_like_fields_changes_nothing()
    {
        const string Text = """
              prev_pid=7 [001] x 5/6 [000] 10.000000100: sched:sched_switch: prev_comm= prev_pid=7 prev_state=R prev_pid=6 prev_prio=120 prev_state=S ==> next_comm=y next_pid=9 ==> next_comm=z next_pid=8 next_prio=119
              z 8/8 [000] 10.000001000: sched:sched_switch: prev_comm=z prev_pid=8 prev_prio=119 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120
            """;

        TraceFacts facts = EtlFile.Read(Encoding.UTF8.GetBytes(Text));

        Assert.Equal([6u, 8u], facts.Threads.Select(thread => thread.OsId.Value).Order());
        Assert.Equal("Interruptible", Assert.Single(facts.Thread(6).WaitReasons).Name);
        Assert.Equal(9, facts.Thread(8).Times.Value.Running.Ticks);
        Assert.True(Assert.Single(facts.Thread(8).WaitReasons).IsReady);
    }

    private static (double Run, double Ready) Sums(Row[] rows)
    {
        double ready = rows.Sum(row => row.Delay);
        for (int i = 1; i < rows.Length; i++)
        {
            ready += rows[i - 1].State is "R" or PreemptedAsPrinted ? rows[i].Wait - rows[i].Delay : 0;
        }

        return (rows.Sum(row => row.Run), ready);
    }

    private static void AssertNear(double expected, double actual, int rows, string what)
        => Assert.True(Math.Abs(expected - actual) <= Math.Max(AllowedShare * expected, rows * Rounding * 2), $"{what}: perf says {expected} ms, the reader {actual} ms");

    private static IEnumerable<Row> Rows()
    {
        using GZipStream stream = new(File.OpenRead(Recorded("timehist.txt.gz")), CompressionMode.Decompress);
        using StreamReader reader = new(stream);
        while (reader.ReadLine() is { } line)
        {
            if (RowPattern().Match(line) is { Success: true } match)
            {
                yield return new Row(
                    match.Groups[1].Value, uint.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture), Number(match.Groups[3]), Number(match.Groups[4]), Number(match.Groups[5]), match.Groups[6].Value);
            }
        }

        static double Number(Group group) => double.Parse(group.Value, CultureInfo.InvariantCulture);
    }

    private static string Recorded(string name) => Path.Combine(Repository.Root, "tests", "Unit", "Traces", "Recorded", name);

    [GeneratedRegex(@"^\s*[\d.]+ \[\d+\]\s+(\S+)\[(\d+)(?:/\d+)?\]\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+(\S+)\s*$")]
    private static partial Regex RowPattern();

    /// <summary>One run of a thread: milliseconds before it and in it.</summary>
    private sealed record Row(string Name, uint Tid, double Wait, double Delay, double Run, string State);
}
