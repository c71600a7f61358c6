using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Threads;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Calls that only one of the former lists had.</summary>
public sealed class CallStateTests
{
    [Theory]
    [InlineData(ThreadActivity.WaitsForLock, "System.Threading.Monitor.ReliableEnterTimeout", "System.Threading.Monitor.TryEnter", "App.Program.Main")]
    [InlineData(ThreadActivity.Running, "System.Threading.Monitor.TryEnter", "App.Program.Main")]
    [InlineData(ThreadActivity.WaitsForObject, "System.Threading.WaitHandle.WaitOne", "App.Program.Main")]
    public void A_managed_call_that_capture_knows_is_known_to_rules(ThreadActivity expected, params string[] frames)
        => Assert.Equal(expected, Triage.Judge(SnapshotBuilder.Linux().Thread(1, frames).Build()).Threads[0].State);

    [Theory]
    [InlineData("ntdll!RtlpAcquireSRWLockExclusiveContended+0x10", null)]
    [InlineData("ntdll!RtlpWaitForCriticalSection+0x10", "ntdll!RtlEnterCriticalSection+0x20")]
    [InlineData("ntdll!RtlpWaitOnCriticalSection+0x10", "ntdll!RtlEnterCriticalSection+0x20")]
    public void A_lock_function_is_named_by_the_part_that_programs_call(string inner, string? outer)
    {
        string[] frames = [.. new[] { "ntdll!ZwWaitForAlertByThreadId+0x14", inner, outer, "app!work+0x4" }.OfType<string>()];

        ThreadAssessment thread = Triage.Judge(SnapshotBuilder.Windows().Thread(1, frames).Build()).Threads[0];

        Assert.Equal(ThreadActivity.WaitsForLock, thread.State);
        Assert.Same(thread.Thread.Stack.Frames[outer is null ? 1 : 2], thread.Frame);
    }

    [Theory]
    [InlineData(true, "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Threading.Tasks.Task.InternalWaitCore")]
    [InlineData(true, "System.Threading.Tasks.Task.WaitAllBlockingCore", "System.Threading.Tasks.Task.WaitAllCore")]
    [InlineData(true, "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait",
        "System.Threading.Tasks.Task.InternalWaitCore", "App.Program.Work")]
    [InlineData(false, "System.Threading.Monitor.Wait", "App.Program.Work", "System.Threading.Tasks.Task.InternalWaitCore")]
    [InlineData(false, "App.Program.Work", "System.Threading.Tasks.Task.ExecuteWithThreadLocal", "System.Threading.Tasks.Task.InternalWaitCore")]
    public void A_worker_that_runs_the_task_it_waits_for_is_not_blocked_on_it(bool expected, params string[] frames)
        => Assert.Equal(expected, PoolWorker.WaitsForTask(SnapshotBuilder.Linux().Thread(1, frames).Build().Threads.Value[0]));
}
