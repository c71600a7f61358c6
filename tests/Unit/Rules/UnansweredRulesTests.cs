using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Window messages and calls to elsewhere that get no answer.</summary>
public sealed class UnansweredRulesTests
{
    private static readonly string[] s_sends = ["win32u!NtUserMessageCall", "user32!SendMessageW", "app!save"];
    private static readonly string[] s_waits = ["ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObject", "app!show"];
    private static readonly string[] s_enters = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!paint", "user32!", "user32!DispatchMessageW", "app!main"];
    private static readonly string[] s_rpc = ["ntdll!NtAlpcSendWaitReceivePort", "rpcrt4!", "rpcrt4!NdrClientCall3", "app!refresh"];
    private static readonly string[] s_com =
    [
        "win32u!NtUserMsgWaitForMultipleObjectsEx", "user32!MsgWaitForMultipleObjectsEx", "combase!", "combase!", "rpcrt4!NdrProxySendReceive",
        "rpcrt4!NdrClientCall3", "combase!ObjectStublessClient3", "app!on_click", "user32!", "user32!DispatchMessageW", "app!main",
    ];

    private static readonly ThreadOptions s_gui = new() { IsGuiThread = true };
    private static readonly LockId s_section = SnapshotBuilder.Section(0xa000);

    [Fact]
    public void The_only_thread_that_can_own_the_window_is_named()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows().Thread(0x11, s_gui, s_waits).Thread(0x12, s_gui, s_sends).Thread(0x13, s_waits));

        Assert.Equal((VerdictKind.BlockedOnExternal, Confidence.Possible, "HT3007"), Heading(verdict));
        Assert.Equal(new ThreadId(0x11), verdict.Culprit?.Thread);
        Assert.Equal(new ThreadId(0x11), verdict.Chain[0].To.Thread);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Where_several_threads_can_own_the_window_none_is_named(bool otherPumps)
    {
        string[] other = otherPumps ? ["win32u!NtUserGetMessage", "user32!GetMessageW", "app!main"] : s_waits;
        Verdict verdict = Judge(SnapshotBuilder.Windows().Thread(0x11, s_gui, s_waits).Thread(0x12, s_gui, s_sends).Thread(0x13, s_gui, other));

        Assert.Equal("HT3007", verdict.Rule?.Id);
        Assert.Null(verdict.Culprit);
    }

    [Fact]
    public void A_window_thread_that_wants_the_senders_lock_is_a_deadlock()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows()
            .Thread(0x11, s_enters).Thread(0x12, s_sends).Lock(s_section, 0x12).Waits(0x11, s_section));

        Assert.Equal((VerdictKind.Deadlock, Confidence.Likely, "HT3007"), Heading(verdict));
        Assert.Equal(3, verdict.Chain.Count);
        Assert.Equal(verdict.Chain[0].From.Thread, verdict.Chain[^1].To.Thread);
    }

    [Theory]
    [InlineData("ntdll!NtAlpcSendWaitReceivePort < rpcrt4! < rpcrt4!NdrClientCall3 < app!refresh", "a remote procedure call")]
    [InlineData("ntdll!NtWaitForSingleObject < KERNELBASE!WaitForSingleObject < rpcrt4! < rpcrt4!I_RpcSendReceive < app!refresh", "a remote procedure call")]
    [InlineData("ntdll!NtReadFile < KERNELBASE!ReadFile < rpcrt4! < rpcrt4!NdrClientCall2 < app!refresh", "a remote procedure call")]
    [InlineData("ntdll!NtAlpcSendWaitReceivePort < rpcrt4! < combase!ThreadSendReceive < combase! < rpcrt4!NdrProxySendReceive < rpcrt4!NdrClientCall3 < app!refresh", "a COM call")]
    [InlineData("ntdll!NtWaitForSingleObject < KERNELBASE!WaitForSingleObject < combase!MTAThreadWaitForCall < combase! < app!refresh", "a COM call")]
    [InlineData("ntdll!NtAlpcSendWaitReceivePort < KERNELBASE! < app!refresh", "a request through a port")]
    public void A_lock_owner_in_a_call_is_blocked_on_another(string frames, string what)
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows()
            .Thread(0x11, frames.Split(" < ")).Thread(0x12, s_enters[..3]).Lock(s_section, 0x11).Waits(0x12, s_section));

        Assert.Equal((VerdictKind.BlockedOnExternal, Confidence.Possible, "HT3008"), Heading(verdict));
        Assert.Equal(new ThreadId(0x11), verdict.Culprit?.Thread);
        Assert.Contains(what, verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains("app!refresh", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_call_that_lasted_since_an_earlier_capture_is_likely()
    {
        static SnapshotBuilder Process(SnapshotBuilder builder, TimeSpan life)
        {
            ThreadOptions options = new() { Life = life };
            return builder.Thread(0x11, options, s_rpc).Thread(0x12, options, s_enters[..3]).Lock(s_section, 0x11).Waits(0x12, s_section);
        }

        ProcessSnapshot now = Process(SnapshotBuilder.Windows(), TimeSpan.FromMinutes(10)).Build();
        ProcessSnapshot then = Process(SnapshotBuilder.Windows().Earlier(TimeSpan.FromMinutes(1)), TimeSpan.FromMinutes(9)).Build();

        Assert.Equal((VerdictKind.BlockedOnExternal, Confidence.Likely, "HT3008"), Heading(Triage.Judge(Case.Of([then, now])).Verdict));
    }

    [Fact]
    public void A_thread_with_windows_in_a_COM_call_keeps_its_windows_waiting()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows().Thread(0x11, s_com));

        Assert.Equal((VerdictKind.BlockedOnExternal, Confidence.Possible, "HT3008"), Heading(verdict));
        Assert.Equal(new ThreadId(0x11), verdict.Culprit?.Thread);
    }

    [Theory]
    [InlineData("ntdll!NtAlpcSendWaitReceivePort < rpcrt4! < rpcrt4! < ntdll!RtlUserThreadStart")] // a server that waits for requests
    [InlineData("ntdll!NtAlpcSendWaitReceivePort < rpcrt4! < rpcrt4!NdrClientCall3 < app!poll")] // nobody waits for it
    [InlineData("win32u!NtUserMsgWaitForMultipleObjectsEx < user32! < combase!CoWaitForMultipleHandles < app!main")]
    public void A_thread_that_nobody_waits_for_is_healthy_in_such_a_wait(string frames)
        => Assert.Equal(VerdictKind.NotHung, Judge(SnapshotBuilder.Windows().Thread(0x11, frames.Split(" < "))).Kind);

    [Fact]
    public void Code_that_a_call_has_called_back_is_judged_by_its_own_wait()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows()
            .Thread(0x11, ["ntdll!NtDelayExecution", "KERNELBASE!SleepEx", "app!callback", .. s_rpc[1..]])
            .Thread(0x12, s_enters[..3]).Lock(s_section, 0x11).Waits(0x12, s_section));

        Assert.Equal(VerdictKind.NotHung, verdict.Kind);
    }

    private static Verdict Judge(SnapshotBuilder process) => Triage.Judge(process.Build()).Verdict;

    private static (VerdictKind Kind, Confidence? Confidence, string? Rule) Heading(Verdict verdict) => (verdict.Kind, verdict.Confidence, verdict.Rule?.Id);
}
