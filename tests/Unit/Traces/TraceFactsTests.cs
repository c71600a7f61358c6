using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;
using HangTriage.Traces;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>What the facts of a trace say, against what was written.</summary>
public sealed class TraceFactsTests
{
    [Fact]
    public void A_thread_that_is_ready_and_does_not_run_is_told_with_priority_and_rank()
    {
        TraceFacts facts = EtlFile.Read(OutrankedTrace.Build());

        TraceThread thread = facts.Threads[0];
        TraceReady ready = thread.LongestReady!;
        Assert.Equal(OutrankedTrace.Waiter, thread.OsId.Value);
        Assert.Equal("ui", thread.Name.Value);
        Assert.Equal(TimeSpan.FromSeconds(19.494), ready.Length);
        Assert.Equal(TimeSpan.FromSeconds(30.333), ready.From);
        Assert.False(ready.IsOpen);
        Assert.Equal(14, ready.Priority.Value);
        Assert.Equal(2, ready.Rank.Value);
        Assert.False(ready.IsStackPagedOut.Value);
        Assert.Equal((0, 0), (ready.Others.Value.LowestRank.Value, ready.Others.Value.HighestRank.Value));
        TraceReadiedBy by = ready.By.Value;
        Assert.Equal((OutrankedTrace.Waker, 4u, "System", false), (by.Thread.Value, by.Pid.Value, by.ProcessName.Value, by.IsDeferred));
        Assert.Equal(["ntoskrnl.exe+0x1234", "ntoskrnl.exe+0x5678"], by.Stack.Value);
    }

    /// <summary>The waker ran at the moment of waking and for 50 us after it, at priority 12: below the ready thread's 14, too.</summary>
    [Fact]
    public void Who_ran_meanwhile_is_counted()
    {
        TraceRunners others = EtlFile.Read(OutrankedTrace.Build()).Threads[0].LongestReady!.Others.Value;

        Assert.Equal(OutrankedTrace.Others + 1, others.Count);
        Assert.Equal(OutrankedTrace.Others + 1, others.OfLowerPriority);
        Assert.Equal((8, 12), (others.LowestPriority, others.HighestPriority));
    }

    [Fact]
    public void Without_ranks_none_is_claimed()
    {
        TraceReady ready = EtlFile.Read(OutrankedTrace.Build(hasRanks: false)).Threads[0].LongestReady!;

        Assert.False(ready.Rank.HasValue);
        Assert.False(ready.Others.Value.HighestRank.HasValue);
    }

    [Fact]
    public void A_wait_names_who_ended_it_and_both_stacks()
    {
        TraceFacts facts = EtlFile.Read(AntivirusTrace.Build());

        TraceWait wait = facts.Thread(AntivirusTrace.GitThread).LongestWait!;
        Assert.Equal(AntivirusTrace.Longest, wait.Length.Ticks);
        Assert.Equal("Executive", wait.Reason.Value);
        Assert.Equal((AntivirusTrace.AntivirusThread, "MsMpEng.exe"), (wait.By.Value.Thread.Value, wait.By.Value.ProcessName.Value));
        Assert.Equal(["fltmgr.sys+0x2222", "MsMpEng.exe+0x3333"], wait.By.Value.Stack.Value);
        Assert.Equal(["ntoskrnl.exe+0x10", "fltmgr.sys+0x1111", "ntoskrnl.exe+0x9000"], wait.Stack.Value);
        TraceReadier readier = facts.Readiers.Single(readier => readier.Pid == AntivirusTrace.Git);
        Assert.Equal((AntivirusTrace.Antivirus, 2L, AntivirusTrace.Longest + AntivirusTrace.First), (readier.ByPid, readier.Waits, readier.Time.Ticks));
    }

    [Fact]
    public void Reads_are_counted_with_their_bytes_and_their_share_of_samples()
    {
        TraceFacts facts = StormTraces.Reads;

        TraceProcess process = facts.Processes.Single(process => process.Pid == TinyReadsTrace.Broker);
        Assert.Equal(new TraceIo(TinyReadsTrace.Calls, TinyReadsTrace.Bytes), process.Reads);
        Assert.Equal(@"\Device\HarddiskVolume3\menu.db", process.Files[0].Name.Value);
        TraceThread thread = facts.Thread(TinyReadsTrace.Thread);
        Assert.Equal(TinyReadsTrace.Samples, thread.Samples);
        Assert.Equal(new TraceFunction("KERNELBASE.dll+0x500", TinyReadsTrace.SamplesInReads, TinyReadsTrace.SamplesInReads), thread.Functions[0]);
        Assert.Contains(new TraceFunction("broker.exe+0x100", 0, TinyReadsTrace.SamplesInReads), thread.Functions);
    }

    [Fact]
    public void Registry_calls_are_counted_by_kind()
        => Assert.Equal([new TraceCalls("QueryValue", RegistryTrace.Calls)], StormTraces.Registry.Processes.Single(process => process.Pid == RegistryTrace.Process).Registry);

    [Fact]
    public void Those_that_one_thread_wakes_are_known()
    {
        TraceFacts facts = EtlFile.Read(ConvoyTrace.Build());

        TraceThread[] waiters = [.. facts.Threads.Where(thread => thread.LongestWait is { By: { HasValue: true } by } && by.Value.Thread.Value == ConvoyTrace.Holder)];
        Assert.Equal(ConvoyTrace.Waiters, waiters.Length);
        Assert.All(waiters, thread => Assert.Equal("WrAlertByThreadId", thread.LongestWait!.Reason.Value));
        Assert.True(facts.Thread(ConvoyTrace.Holder).Times.Value.Running > TimeSpan.FromSeconds(4));
    }

    /// <summary>On another processor the waking can be recorded before the switch-out that it ends.</summary>
    [Fact]
    public void A_thread_that_is_readied_before_its_switch_out_is_ready_from_the_switch_out()
    {
        SyntheticTrace trace = new SyntheticTrace().Switch(100, 0, 5, 0).Ready(1_000, 1, 5).Switch(1_010, 0, 0, 5).Switch(1_500, 0, 5, 0).Switch(2_000, 0, 0, 5);

        TraceTimes times = EtlFile.Read(trace).Thread(5).Times.Value;

        Assert.Equal((910 + 500, 490), (times.Running.Ticks, times.Ready.Ticks));
    }

    [Fact]
    public void Threads_that_begin_and_end_have_their_own_window_and_an_id_can_be_used_again()
    {
        SyntheticTrace trace = new SyntheticTrace()
            .Thread(1_000, 1, 9, 77).Ready(1_100, 0, 77).Switch(1_200, 0, 77, 0).Thread(1_900, 2, 9, 77).Switch(2_000, 0, 0, 77, state: 4)
            .Thread(5_000, 1, 10, 77).Switch(5_500, 0, 77, 0).Switch(6_000, 0, 0, 77).Thread(9_000, 4, 10, 77);

        TraceThread[] threads = [.. EtlFile.Read(trace).Threads.Where(thread => thread.OsId.Value == 77).OrderBy(thread => thread.From)];

        Assert.Equal([(1_000L, 2_000L, 800L, 9u), (5_000L, 9_000L, 500L, 10u)], threads.Select(thread => (thread.From.Ticks, thread.To.Ticks, thread.Times.Value.Running.Ticks, thread.Pid.Value)));
        Assert.Equal(new TraceTimes(new TimeSpan(800), new TimeSpan(100), new TimeSpan(100), 1), threads[0].Times.Value);
    }

    [Fact]
    public void The_state_at_the_moment_of_a_dump_is_kept()
    {
        SyntheticTrace trace = OutrankedTrace.Build();
        TraceContext context = TraceContext.Default with { Moment = trace.Start + TimeSpan.FromSeconds(40) };

        TraceMoment moment = EtlFile.Read(trace.Build(), context).Thread(OutrankedTrace.Waiter).Moment.Value;

        Assert.Equal((TraceThreadState.Ready, TimeSpan.FromSeconds(40 - 30.333)), (moment.State, moment.For));
    }

    /// <summary>Of each state the eight longest; what is shorter lies between them.</summary>
    [Fact]
    public void The_timeline_has_the_longest_times_in_the_order_of_time()
    {
        const long Second = 10_000_000;
        SyntheticTrace trace = new();
        long at = 0;
        for (int i = 1; i <= 10; i++)
        {
            trace.Switch(at, 0, 5, 0).Switch(at + (i * Second), 0, 0, 5).Ready(at + (i * Second) + (Second / 2), 0, 5);
            at += (i + 1) * Second;
        }

        IReadOnlyList<TracePiece> timeline = EtlFile.Read(trace.Switch(at, 0, 5, 0).Switch(at + 100, 0, 0, 5)).Thread(5).Timeline;

        Assert.Equal(Enumerable.Range(3, 8).Select(i => (double)i), timeline.Where(piece => piece.State == TraceThreadState.Running).Select(piece => piece.Length.TotalSeconds));
        Assert.Equal(timeline.OrderBy(piece => piece.From), timeline);
        Assert.Equal(8, timeline.Count(piece => piece.State == TraceThreadState.Ready));
        Assert.All(timeline.Where(piece => piece.State != TraceThreadState.Running), piece => Assert.Equal(0.5, piece.Length.TotalSeconds, 0.000_1));
    }

    [Fact]
    public void Stacks_that_keys_name_are_joined_with_samples()
    {
        SyntheticTrace trace = new SyntheticTrace().Sample(100, 0, 5, 0x1000).StackKey(101, 0, 100, 9, 5, key: 7, isKernel: false).StackOfKey(900, 0, 7, 0x1000, 0x2000);

        TraceThread thread = EtlFile.Read(trace).Thread(5);

        Assert.Equal([new TraceFunction("0x1000", 1, 1), new TraceFunction("0x2000", 0, 1)], thread.Functions);
    }

    [Fact]
    public void Without_switches_no_times_are_claimed()
    {
        TraceFacts facts = EtlFile.Read(new SyntheticTrace().Thread(0, 3, 9, 5).Sample(100, 0, 5, 0x1000));

        Assert.False(facts.Switches.HasValue);
        Assert.False(facts.Thread(5).Times.HasValue);
        Assert.Null(facts.Thread(5).LongestWait);
    }

    [Fact]
    public void Contentions_name_the_owner_and_the_length()
    {
        Guid runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
        byte[] start = [0, 9, 0, .. BitConverter.GetBytes(0xAAAAUL), .. BitConverter.GetBytes(0xBBBBUL), .. BitConverter.GetBytes(66UL)];
        SyntheticTrace trace = new SyntheticTrace()
            .Event(1_000, 0, runtime, 81, 2, 9, 55, start).Event(31_000, 1, runtime, 91, 1, 9, 55, new byte[11])
            .Event(20_000, 0, runtime, 9, 1, 9, 56, new byte[10]).Event(21_000, 0, runtime, 3, 1, 9, 56, new byte[2])
            .Event(50_000, 0, runtime, 9, 1, 9, 56, [1, .. new byte[9]]).Event(90_000, 0, runtime, 3, 1, 9, 56, new byte[2])
            .Event(60_000, 0, runtime, 301, 0, 9, 55, [1, .. new byte[10]]).Event(65_000, 0, runtime, 302, 0, 9, 55, new byte[2])
            .Event(95_000, 0, runtime, 55, 0, 9, 56, [.. new byte[8], .. BitConverter.GetBytes(12), .. BitConverter.GetBytes(6), 9, 0]);

        TraceFacts facts = EtlFile.Read(trace);

        Assert.Equal([new TraceContention(9, new ThreadId(55), Known.Read(new ThreadId(66)), Known.Read(new Address(0xAAAA)), 1, Known.Derived(new TimeSpan(30_000)))], facts.Contentions);
        Assert.Equal([new TraceHandleWait(9, new ThreadId(55), "Monitor.Wait", 1, Known.Derived(new TimeSpan(5_000)))], facts.HandleWaits);
        Assert.Equal([new TraceRuntime(9, Known.Read(12), 1, 1, 1, new TimeSpan(40_000), new TimeSpan(40_000))], facts.Runtimes);
    }
}
