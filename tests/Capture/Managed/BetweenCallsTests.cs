using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>What a thread has that computes between two calls, where the runtime does not say it.</summary>
public sealed class BetweenCallsTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Who_computes_has_what_is_in_its_registers_and_its_frame(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("BetweenCalls", framework);
        ProcessSnapshot snapshot = Cores.Read(process);
        ThreadId turning = snapshot.Threads.Value.Single(thread => thread.Name.Is(name => name == "turning")).OsId;

        FlowGroup main = snapshot.Managed!.Value.Flows!.Value.Groups.Single(group => group.Method == "BetweenCalls.Program.Main");

        Assert.Equal((FlowRoot.Thread, turning), (main.Waits.Reach!.By, main.Waits.Reach.Thread));
    }
}
