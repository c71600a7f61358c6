using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class PoolStarvationRuleTests
{
    private static readonly string[] s_wait =
    [
        "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait",
        "System.Threading.Tasks.Task.InternalWaitCore", "System.Threading.Tasks.Task.InternalWait", "System.Threading.Tasks.Task<System.Int32>.GetResultCore",
    ];

    [Fact]
    public void The_signature_tells_one_program_from_another()
    {
        Assert.Equal("HT2010/Shop.Handle", Judge("Shop.Handle").Signature.Text);
        Assert.NotEqual(Judge("Shop.Handle").Signature, Judge("Bank.Handle").Signature);
    }

    private static Verdict Judge(string blocks)
    {
        string[] worker = [.. s_wait, blocks, "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        return Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker).Pool(new PoolWorkers(2, 2, 2, 2, 2), 40).Build()).Verdict;
    }
}
