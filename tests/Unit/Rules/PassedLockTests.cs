using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Context;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A crowd at a lock looks the same whether it is stuck or taking turns; a second sample tells.</summary>
public sealed class PassedLockTests
{
    private const uint Waiters = 5;

    private static readonly LockId s_gate = SnapshotBuilder.Monitor(0xa000);

    [Theory]
    [InlineData(1u, VerdictKind.Inconclusive)] // the same owner ten seconds before
    [InlineData(2u, VerdictKind.BusyNotHung)] // one of those who wait now held it then
    public void A_lock_that_is_passed_on_between_two_samples_is_no_suspect(uint ownerThen, VerdictKind expected)
    {
        ProcessSnapshot earlier = Process(SnapshotBuilder.Linux().Earlier(TimeSpan.FromSeconds(10)), ownerThen);
        ProcessSnapshot later = Process(SnapshotBuilder.Linux(), owner: 1);

        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(later).Verdict.Kind);
        Assert.Equal(expected, Triage.Judge(Case.Of([earlier, later])).Verdict.Kind);
    }

    private static ProcessSnapshot Process(SnapshotBuilder builder, uint owner)
    {
        for (uint id = 1; id <= Waiters + 1; id++)
        {
            _ = id == owner
                ? builder.Thread(id, new ThreadOptions { Cpu = null }, "App.Work.Step", "App.Work.Run").Lock(s_gate, id, "App.Gate")
                : builder.Thread(id, new ThreadOptions { Cpu = null }, "System.Threading.Monitor.Enter_Slowpath", "App.Work.Run").Waits(id, s_gate);
        }

        return builder.Build();
    }
}
