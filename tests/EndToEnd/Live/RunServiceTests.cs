using System.Text.Json;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>A web service that <c>dotnet run</c> starts: it idles, or it hangs where its requests lead it.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
[Trait("Tier", "all")]
public sealed class RunServiceTests
{
    private const int SamplesOfLook = 3;
    private const int MoreThanWorkers = 40;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task One_that_idles_goes_on_however_often_it_is_looked_at()
    {
        Linux.Need();
        using WatchedService service = await WatchedService.StartAsync("1s", Cancellation);
        Assert.Equal("at your service", await service.AskAsync("/", Cancellation));

        await service.AwaitSamplesAsync(2 * SamplesOfLook, Cancellation);

        Assert.Equal("at your service", await service.AskAsync("/", Cancellation));
        service.Terminate();
        ToolRun run = service.Finish();
        Assert.Equal((0, string.Empty), (run.ExitCode, run.Error));
        Assert.False(File.Exists(service.ReportFile));
    }

    [Theory]
    [InlineData("/rates", "Rates.Await")]
    [InlineData("/busy", "Rates.AwaitBusily")]
    public async Task One_with_a_request_that_spins_is_ended_and_the_loop_is_the_suspect(string path, string method)
    {
        Linux.Need();
        using WatchedService service = await WatchedService.StartAsync("3s", Cancellation);
        _ = service.AskAsync(path, Cancellation);

        (JsonElement verdict, string error) = Ended(service);

        Assert.Equal("Inconclusive", verdict.GetProperty("kind").GetString());
        Assert.Contains($"waits in {method} (WebService/Rates.cs:", verdict.GetProperty("title").GetString(), StringComparison.Ordinal);
        Assert.Contains("until Rates.s_areLoaded changes", verdict.GetProperty("title").GetString(), StringComparison.Ordinal);
        Assert.Contains(" is stuck, and the command is ended", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_whose_pool_is_starved_is_ended()
    {
        Linux.Need();
        using WatchedService service = await WatchedService.StartAsync("3s", Cancellation);
        for (int article = 0; article < MoreThanWorkers; article++)
        {
            _ = service.AskAsync($"/prices/{article}", Cancellation);
        }

        (JsonElement verdict, _) = Ended(service);

        Assert.Equal(("Starvation", "HT2010"), (verdict.GetProperty("kind").GetString(), verdict.GetProperty("rule").GetString()));
        Assert.Contains("Prices.Show (WebService/Prices.cs:", verdict.GetProperty("title").GetString(), StringComparison.Ordinal);
    }

    private static (JsonElement Verdict, string Error) Ended(WatchedService service)
    {
        ToolRun run = service.Finish();
        Assert.Equal(124, run.ExitCode);
        JsonElement report = JsonDocument.Parse(File.ReadAllBytes(service.ReportFile)).RootElement;
        Assert.False(Proc.Runs(report.GetProperty("target").GetProperty("pid").GetInt32()));
        return (report.GetProperty("verdict"), run.Error);
    }
}
