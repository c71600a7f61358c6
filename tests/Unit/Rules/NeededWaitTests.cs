using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A thread of its own that waits for room, or for a fixed number of others, does not wait for something to do.</summary>
public sealed class NeededWaitTests
{
    [Theory]
    [InlineData("System.Collections.Concurrent.BlockingCollection<System.__Canon>.TryAddWithNoTimeValidation", VerdictKind.Inconclusive)]
    [InlineData("System.Threading.CountdownEvent.Wait", VerdictKind.Inconclusive)]
    [InlineData("System.Threading.Barrier.SignalAndWait", VerdictKind.Inconclusive)]
    [InlineData("System.Threading.ManualResetEventSlim.Wait", VerdictKind.NotHung)]
    public void Such_a_wait_of_unknown_end_forbids_health(string call, VerdictKind expected)
        => Assert.Equal(expected, Triage.Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Sleep", "App.Program.Main")
            .Thread(2, "System.Threading.Monitor.Wait", call, "App.Lane.Serve")
            .WaitsForSignal(2, 0x5000, "wanted").ReachedBy(2, 1)
            .Build()).Verdict.Kind);
}
