using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>What services of a host have come to: one has failed, one tries again, one waits for what nobody brings any more.</summary>
public sealed class HostedServiceTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task A_service_that_has_failed_is_told_and_what_it_alone_brought_comes_from_nobody(
        TargetFramework framework, bool isOptimised)
    {
        ManagedFacts managed = Cores.Read(await Cores.TargetAsync("HostedFeed", framework, isOptimised)).Managed!.Value;

        EndedServiceFacts failed = Assert.Single(managed.EndedServices!, service => service.HasFailed);
        Assert.Equal("HostedFeed.Program+MeterFeed.ExecuteAsync", failed.Method);
        Assert.Equal("System.FormatException", failed.Exception);
        WaitReach lost = Flow(managed, "MeterStore.ExecuteAsync").Waits.Reach!;
        Assert.True(lost.IsGivenByNobody);
        Assert.All(lost.Givers!, giver => Assert.Contains("MeterFeed", giver, StringComparison.Ordinal));
        Assert.False(Flow(managed, "PriceStore.ExecuteAsync").Waits.Reach!.IsGivenByNobody);
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net10)]
    public async Task A_method_that_waits_before_it_tries_again_has_the_exception_of_the_last_try(TargetFramework framework)
    {
        ManagedFacts managed = Cores.Read(await Cores.TargetAsync("HostedFeed", framework)).Managed!.Value;

        Assert.Equal("System.TimeoutException", Flow(managed, "Uplink.ExecuteAsync").TriesAgainAfter);
        Assert.Null(Flow(managed, "PriceFeed.ExecuteAsync").TriesAgainAfter);
    }

    private static FlowGroup Flow(ManagedFacts managed, string method)
        => managed.Flows!.Value.Groups.Single(group => group.Method.EndsWith(method, StringComparison.Ordinal));
}
