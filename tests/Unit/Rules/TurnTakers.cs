using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Three threads of a Linux core, of which one holds a monitor and sleeps without end, and the others wait for it.</summary>
internal static class TurnTakers
{
    /// <param name="owner">Who holds it: 1, 2 or 3.</param>
    /// <param name="earlier">How long before the usual time.</param>
    /// <param name="does">What the owner does in its turn.</param>
    public static ProcessSnapshot Turn(uint owner, TimeSpan earlier = default, string does = "System.Threading.Thread.Sleep")
    {
        LockId turn = SnapshotBuilder.Monitor(0x1000);
        ThreadOptions options = new() { Cpu = null, Life = null };
        SnapshotBuilder builder = SnapshotBuilder.Linux().Earlier(earlier);
        foreach (uint thread in new uint[] { 1, 2, 3 })
        {
            builder.Thread(thread, options, thread == owner ? does : "System.Threading.Monitor.Enter_Slowpath", "App.TakeTurn");
        }

        ProcessSnapshot snapshot = builder.Lock(turn, owner).Waits(2, turn).Waits(owner == 1 ? 3u : 1u, turn).Build();
        return SystemCalls.With(snapshot, owner, "futex", hasTimeout: false);
    }
}
