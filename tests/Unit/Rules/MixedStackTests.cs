using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Threads;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Stacks of native frames above managed ones, as Windows dumps of .NET have them.</summary>
public sealed class MixedStackTests
{
    private static readonly string[] s_wayOut = ["ntdll!NtWaitForMultipleObjects+0x14", "kernelbase!WaitForMultipleObjectsEx+0x1e", "coreclr+0x17c0af", "coreclr+0x197f98"];

    [Theory]
    [InlineData("System.Threading.Monitor.Enter_Slowpath", ThreadActivity.WaitsForLock)]
    [InlineData("System.Threading.LowLevelLifoSemaphore.WaitNative", ThreadActivity.IdlePoolWorker)]
    [InlineData("System.Threading.Thread.Join", ThreadActivity.WaitsForObject)]
    [InlineData("App.Program.Work", ThreadActivity.WaitsForObject)]
    public void The_managed_call_says_which_wait_the_system_call_is(string call, ThreadActivity expected)
        => Assert.Equal(expected, StateOf([.. s_wayOut, "[InlinedCallFrame]", call, "App.Program.Main"]));

    [Fact]
    public void A_lock_of_the_system_above_managed_frames_is_what_the_thread_waits_for()
        => Assert.Equal(
            ThreadActivity.WaitsForLock,
            StateOf(["ntdll!NtWaitForAlertByThreadId+0x14", "ntdll!RtlEnterCriticalSection+0x10", "app!work", "System.Threading.Thread.Join"]));

    [Fact]
    public void A_signature_is_the_same_whether_the_way_out_of_managed_code_was_seen_or_not()
    {
        RuleInfo rule = new("HT1001", "monitor deadlock", "");
        FrameFacts[] managed = Stack(["[InlinedCallFrame]", "System.Threading.Monitor.Enter_Slowpath", "App.Program.Work"]);

        string signature = Signature.Of(rule, [managed]).Text;

        Assert.Equal("HT1001/App.Program.Work", signature);
        Assert.Equal(signature, Signature.Of(rule, [[.. Stack(s_wayOut), .. managed]]).Text);
        Assert.Equal(signature, Signature.Of(rule, [[.. Stack(["(dynamicClass).IL_STUB_PInvoke"]), .. managed]]).Text);
        Assert.Equal("HT1001/app!work", Signature.Of(rule, [Stack([.. s_wayOut, "app!work"])]).Text);
    }

    private static ThreadActivity StateOf(string[] frames)
        => Triage.Judge(SnapshotBuilder.Windows().Thread(0x1000, frames).Build()).Threads[0].State;

    private static FrameFacts[] Stack(string[] frames)
        => [.. SnapshotBuilder.Windows().Thread(0x1000, frames).Build().Threads.Value[0].Stack.Frames];
}
