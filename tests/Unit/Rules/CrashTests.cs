using HangTriage.Facts;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>An input that was written because the process ended: by its own doing, or by who thought that it hangs.</summary>
public sealed class CrashTests
{
    private const string Load = "Shop.Orders.Load";
    private const string Null = "System.NullReferenceException";

    private static readonly string[] s_faulted = ["[FaultingExceptionFrame]", Load, "Shop.Program.Main"];
    private static readonly string[] s_failsFast = ["[InlinedCallFrame]", "System.Environment.FailFast", "Shop.Watchdog.Run"];
    private static readonly string[] s_called = ["[InlinedCallFrame]", "Shop.Native.Copy", "Shop.Program.Main"];
    private static readonly string[] s_waits = ["System.Threading.WaitHandle.WaitOneNoCheck", "Shop.Program.Main"];

    [Fact]
    public void An_exception_that_nothing_handled_is_the_answer_and_no_wait_is_a_suspect()
    {
        TriageResult result = Judge(s_faulted, new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Exception = Thrown() });

        Assert.Equal((VerdictKind.NotHung, Confidence.Certain), (result.Verdict.Kind, result.Verdict.Confidence));
        Assert.Equal("crashed: System.NullReferenceException in Orders.Load", result.Verdict.Title.Text);
        Assert.Equal(new ThreadId(1), result.Verdict.Culprit?.Thread);
        Assert.Empty(result.Verdict.Suspects);
        Assert.Empty(result.Verdict.Advice);
        using StringWriter text = new();
        TextReport.Write(result, text);
        Assert.DoesNotContain("triage attach", text.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("second core", text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Where_the_user_says_that_it_hung_it_is_judged_as_a_hang()
        => Assert.NotEqual(VerdictKind.NotHung,
            Triage.Judge(Case.Of(Snapshot(s_faulted,
                new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Exception = Thrown() })) with { IsSaidToHang = true }).Verdict.Kind);

    [Fact]
    public void One_that_was_thrown_again_is_named_by_where_it_came_from()
        => Assert.Equal(
            "crashed: System.NullReferenceException in Orders.Load",
            Judge(["[SoftwareExceptionFrame]", "System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw", "Shop.Program.<Main>"],
                new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Exception = Thrown() }).Verdict.Title.Text);

    // Before .NET 9 the mark of a throw is that of every call into the runtime.
    [Theory]
    [InlineData(Load, VerdictKind.NotHung)]
    [InlineData("System.Threading.Monitor.ObjWait", VerdictKind.Inconclusive)]
    public void One_that_was_handled_before_is_none(string inner, VerdictKind kind)
        => Assert.Equal(kind, Judge(["[HelperMethodFrame]", inner, "Shop.Program.Main"],
            new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Exception = Thrown() }).Verdict.Kind);

    [Fact]
    public void A_signal_that_another_process_sent_and_a_fail_fast_are_judged_as_hangs()
    {
        Assert.Equal(VerdictKind.Deadlock,
            Judge(s_waits, new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Origin = CrashOrigin.Sent, Exception = Thrown() },
                hangs: true).Verdict.Kind);
        Assert.Equal(VerdictKind.Deadlock,
            Judge(s_failsFast, new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Origin = CrashOrigin.Abort }, hangs: true).Verdict.Kind);
        Assert.Equal(VerdictKind.Inconclusive,
            Judge(s_failsFast, new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Origin = CrashOrigin.Abort }).Verdict.Kind);
    }

    [Fact]
    public void A_fail_fast_of_a_process_without_an_open_wait_is_a_crash()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux().Thread(1, s_failsFast).Build();

        Verdict verdict =
            Triage.Judge(snapshot with { Target = snapshot.Target with { Crash = new CrashFacts(6, "SIGABRT", new ThreadId(1)) } }).Verdict;

        Assert.Equal((VerdictKind.NotHung, "crashed: fail fast in Watchdog.Run"), (verdict.Kind, verdict.Title.Text));
    }

    [Fact]
    public void What_the_process_has_ended_by_is_not_asked_to_last()
    {
        Verdict verdict = Judge(s_waits, new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Origin = CrashOrigin.Sent }).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.All(verdict.Advice, advice => Assert.DoesNotContain("second core", advice.Text, StringComparison.Ordinal));
    }

    [Fact]
    public void A_fault_is_a_crash_and_an_abort_is_one_where_no_hang_explains_it()
    {
        Assert.Equal("crashed: SIGSEGV in Native.Copy",
            Judge(s_called, new CrashFacts(11, "SIGSEGV", new ThreadId(1)) { Origin = CrashOrigin.Fault }, hangs: true).Verdict.Title.Text);
        Assert.Equal("crashed: SIGABRT in Native.Copy",
            Judge(s_called, new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Origin = CrashOrigin.Abort }).Verdict.Title.Text);
        Assert.Equal(VerdictKind.Deadlock,
            Judge(s_called, new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Origin = CrashOrigin.Abort }, hangs: true).Verdict.Kind);
        Assert.Equal(VerdictKind.Inconclusive, Judge(s_waits, new CrashFacts(6, "SIGABRT", new ThreadId(1))).Verdict.Kind);
    }

    [Fact]
    public void An_abort_is_none_where_nothing_tells_what_its_thread_did()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux().ManagedUnknown("no library").Thread(1, "libc.so+0x1").Build();

        Assert.Equal(VerdictKind.Inconclusive,
            Triage.Judge(snapshot with
            {
                Target = snapshot.Target with { Crash = new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Origin = CrashOrigin.Abort } },
            }).Verdict.Kind);
    }

    /// <summary>A case of it for the policy.</summary>
    internal static ProcessSnapshot Crashed()
        => Snapshot(s_faulted, new CrashFacts(6, "SIGABRT", new ThreadId(1)) { Exception = Thrown() });

    private static ThrownException Thrown()
        => new(Null, SnapshotBuilder.Linux().Thread(1, Load, "Shop.Program.Main").Build().Threads.Value[0].Stack.Frames);

    private static TriageResult Judge(string[] stack, CrashFacts crash, bool hangs = false) => Triage.Judge(Snapshot(stack, crash, hangs));

    // Beside it a thread waits for a signal of unknown origin, or two for each other's lock.
    private static ProcessSnapshot Snapshot(string[] stack, CrashFacts crash, bool hangs = false)
    {
        SnapshotBuilder process = SnapshotBuilder.Linux().Thread(1, stack).Thread(2, s_waits);
        if (hangs)
        {
            process.Thread(3, "System.Threading.Monitor.Enter", "Shop.A").Thread(4, "System.Threading.Monitor.Enter", "Shop.B")
                .Lock(SnapshotBuilder.Monitor(0x1000), 3).Lock(SnapshotBuilder.Monitor(0x2000), 4)
                .Waits(3, SnapshotBuilder.Monitor(0x2000)).Waits(4, SnapshotBuilder.Monitor(0x1000));
        }

        ProcessSnapshot snapshot = process.Build();
        return snapshot with { Target = snapshot.Target with { Crash = crash } };
    }
}
