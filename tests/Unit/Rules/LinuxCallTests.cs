using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>What the saved registers of a Linux thread add to its managed frames.</summary>
public sealed class LinuxCallTests
{
    [Theory]
    [InlineData("read", ThreadActivity.WaitsForIo, "[InlinedCallFrame]", "App.Program.Main")]
    [InlineData("futex", ThreadActivity.WaitsForObject, "[DebuggerU2MCatchHandlerFrame]")]
    [InlineData("sched_yield", ThreadActivity.Yielding, "[InlinedCallFrame]", "App.Program.Main")]
    [InlineData("futex", ThreadActivity.WaitsForLock, "[InlinedCallFrame]", "System.Threading.Monitor.Enter_Slowpath", "App.Program.Main")]
    [InlineData("futex", ThreadActivity.Running, "App.Program.Work", "App.Program.Main")]
    [InlineData("futex", ThreadActivity.Sleeping, "System.Threading.Thread.Sleep", "App.Program.Main")]
    [InlineData("futex", ThreadActivity.Yielding, "System.Threading.Thread.Sleep", "System.Threading.SpinWait.SpinOnceCore", "System.Threading.SpinWait.SpinUntil", "App.Program.Main")]
    [InlineData("futex", ThreadActivity.WaitsForObject, "System.Threading.Thread.Sleep", "System.Threading.SpinWait.SpinOnceCore", "System.Threading.ManualResetEventSlim.Wait", "App.Program.Main")]
    [InlineData(null, ThreadActivity.Running, "[DebuggerU2MCatchHandlerFrame]")]
    [InlineData(null, ThreadActivity.WaitsForLock, "[InlinedCallFrame]", "System.Threading.Monitor.Enter_Slowpath", "App.Program.Main")]
    public void A_thread_does_what_its_system_call_and_its_managed_frames_say_together(string? call, ThreadActivity expected, params string[] frames)
        => Assert.Equal(expected, Triage.Judge(SystemCalls.With(SnapshotBuilder.Linux().Thread(1, frames).Build(), 1, call)).Threads[0].State);

    [Theory]
    [InlineData(null, VerdictKind.NotHung)]
    [InlineData("futex", VerdictKind.Inconclusive)]
    public void An_owner_in_the_runtimes_own_code_gets_on_where_it_is_on_a_processor(string? call, VerdictKind expected)
    {
        LockId monitor = SnapshotBuilder.Monitor(0xa000);
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(1, "[InlinedCallFrame]", "System.Threading.Monitor.Enter_Slowpath", "App.Program.Main")
            .Thread(2, "[DebuggerU2MCatchHandlerFrame]")
            .Lock(monitor, 2)
            .Waits(1, monitor)
            .Build();

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(snapshot, 2, call)).Verdict.Kind);
    }
}
