using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>HT8001 where the system call or the task that a thread waits for tells what the call on its stack does not.</summary>
public sealed class OutsideLimitTests
{
    [Theory]
    [InlineData("flock", "Shop.Program.Main", VerdictKind.BlockedOnExternal)]
    [InlineData("fcntl", "Shop.Program.Main", VerdictKind.BlockedOnExternal)]
    [InlineData("flock", "Shop.Worker.Run", VerdictKind.NotHung)]
    [InlineData("futex", "Shop.Program.Main", VerdictKind.Inconclusive)]
    public void A_lock_of_a_file_that_a_library_in_C_waits_for_is_known_by_the_system_call(string call, string caller, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(0x11, "[InlinedCallFrame]", "(dynamicClass).IL_STUB_PInvoke", "Shop.Migration.Acquire", caller);

        Verdict verdict = Triage.Judge(SystemCalls.With(builder.Build(), 0x11, call, hasTimeout: false)).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.BlockedOnExternal, verdict.Title.Text.Contains("waits in Migration.Acquire for a lock of a file", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("recvfrom", "Git.Proxy.Clone", false, VerdictKind.BlockedOnExternal)]
    [InlineData("poll", "Git.Proxy.Clone", false, VerdictKind.BlockedOnExternal)]
    [InlineData("poll", "Git.Proxy.Clone", true, VerdictKind.NotHung)]
    [InlineData("recvfrom", "System.Net.Sockets.SocketPal.Receive", false, VerdictKind.Inconclusive)]
    public void A_client_in_C_that_reads_what_its_server_answers_under_a_lock_is_what_the_others_wait_for(
        string call, string caller, bool hasTimeout, VerdictKind expected)
    {
        LockId gate = SnapshotBuilder.Monitor(0xa000);
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(0x11, "[InlinedCallFrame]", "(dynamicClass).IL_STUB_PInvoke", caller, "Shop.Policies.Refresh")
            .Thread(0x12, "System.Threading.Monitor.Enter_Slowpath", "Shop.Policies.Find")
            .Lock(gate, 0x11).Waits(0x12, gate);

        Verdict verdict = Triage.Judge(SystemCalls.With(builder.Build(), 0x11, call, hasTimeout)).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(
            expected == VerdictKind.BlockedOnExternal,
            verdict.Culprit?.Thread == new ThreadId(0x11) && verdict.Title.Text.Contains("code in C", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(30, VerdictKind.NotHung)]
    [InlineData(31, VerdictKind.BlockedOnExternal)]
    public void A_server_that_is_looked_for_by_a_task_with_a_limit_of_hours_is_waited_for(int minutes, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Thread.Join", "Shop.Program.Main").Joins(0x11, 0x12)
            .Thread(0x12, "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "System.Threading.Tasks.Task.InternalWait", "MongoDB.Driver.Core.Clusters.Cluster.SelectServer", "Shop.Customers.Find")
            .Task(0x7000, TaskKind.Promise).WaitsForTask(0x12, 0x7000, TimeSpan.FromMinutes(minutes));

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(builder.Build(), 0x12, "futex", hasTimeout: true)).Verdict.Kind);
    }
}
