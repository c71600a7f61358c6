using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Who can end a wait for what is signalled by calls, by the code that makes them; the program says it of each wait.</summary>
public sealed class SignalGiversTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false)]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_has_it_ends_the_wait_where_somebody_can_come_to_code_that_signals_it(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("GivenSignals", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        Assert.False(snapshot.Managed!.Value.Reach!.Value.IsQuiet);

        string[] lines = [.. process.Output.Where(line => line.Contains(" by=", StringComparison.Ordinal))];

        // The framework has pipes from .NET 10 on.
        Assert.Equal(framework == TargetFramework.Net10 ? 19 : 18, lines.Length);
        Assert.Equal(lines, lines.Select(line => line.Split(' ', '=')).Select(line => $"{line[0]}={line[1]} {Ends(snapshot, line[1])}"));
    }

    [Fact]
    public async Task The_methods_with_such_a_call_are_named_where_nobody_comes_there_any_more()
    {
        DumpedProcess process = await Cores.TargetAsync("GivenSignals", TargetFramework.Net10);
        ProcessSnapshot snapshot = Cores.Read(process);

        Assert.Contains(ReachOf(snapshot, "items").Givers!, giver => giver.Contains("<Items>", StringComparison.Ordinal));
        Assert.Null(ReachOf(snapshot, "ticks").Givers);
        Assert.Empty(ReachOf(snapshot, "items").Holders);
        Assert.Contains(ReachOf(snapshot, "SendAsync").Givers!, giver => giver.Contains("SendAsync", StringComparison.Ordinal));
    }

    private static string Ends(ProcessSnapshot snapshot, string name)
    {
        WaitReach reach = ReachOf(snapshot, name);
        return $"by={reach.By?.ToString() ?? "-"} sure={reach.Signaller?.Kind.ToString() ?? "-"}";
    }

    private static WaitReach ReachOf(ProcessSnapshot snapshot, string name)
    {
        ManagedFacts managed = snapshot.Managed!.Value;
        if (managed.Flows!.Value.Groups.FirstOrDefault(group => group.Method.EndsWith(name, StringComparison.Ordinal)) is { } flow)
        {
            return flow.Waits.Reach!;
        }

        ThreadFacts thread = snapshot.Threads.Value.Single(thread => thread.Name.Is(found => found == name));
        return managed.Waits.Value.Single(wait => wait.Thread == thread.OsId).Reach!;
    }
}
