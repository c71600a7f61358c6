using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>The web service under <c>triage run -- dotnet run</c>. It listens; requests that it does not answer end with this.</summary>
internal sealed class WatchedService : IDisposable
{
    private const string Listening = "LISTENING ";

    private static readonly TimeSpan s_mostUsed = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(20);

    private readonly Process _watch;
    private readonly TemporaryFolder _folder;
    private readonly HttpClient _client;

    private WatchedService(Process watch, TemporaryFolder folder, string address)
    {
        _watch = watch;
        _folder = folder;
        _client = new HttpClient { BaseAddress = new Uri(address), Timeout = Timeout.InfiniteTimeSpan };
    }

    public string ReportFile => _folder["hang/report.json"];

    public static async Task<WatchedService> StartAsync(string hangAfter, CancellationToken cancellation)
    {
        string[] command = WebService.Command();
        TemporaryFolder folder = new();

        // No process of the build stays behind, to keep this run's output open.
        Process watch = Tool.Start(["run", "--hang-after", hangAfter, "-o", "hang", "--", .. NoisyStart.Of(folder["listens"], command)], folder.Folder, ("MSBUILDDISABLENODEREUSE", "1"));
        while (await watch.StandardOutput.ReadLineAsync(cancellation) is { } line)
        {
            if (line.StartsWith(Listening, StringComparison.Ordinal))
            {
                await File.WriteAllTextAsync(folder["listens"], string.Empty, cancellation);
                return new WatchedService(watch, folder, line[Listening.Length..]);
            }
        }

        throw new InvalidOperationException($"the service does not listen: {await watch.StandardError.ReadToEndAsync(cancellation)}");
    }

    public Task<string> AskAsync(string path, CancellationToken cancellation) => _client.GetStringAsync(path, cancellation);

    /// <summary>Waits until the service has been looked at so often: each sample is a process of its own below the one that watches.</summary>
    public async Task AwaitSamplesAsync(int samples, CancellationToken cancellation)
    {
        HashSet<int> seen = [];
        await new Patience(s_mostUsed, _watch.Id).UntilAsync(
            $"{samples} samples",
            () =>
            {
                seen.UnionWith(Samplers.Below(_watch.Id));
                return seen.Count >= samples || _watch.HasExited;
            },
            cancellation,
            s_step);
    }

    /// <summary>Asks the process that watches to end.</summary>
    public void Terminate()
    {
        using Process kill = Process.Start("kill", ["-TERM", _watch.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    public ToolRun Finish() => Tool.Finish(_watch);

    public void Dispose()
    {
        _client.Dispose();
        if (!_watch.HasExited)
        {
            _watch.Kill(entireProcessTree: true);
            _watch.WaitForExit();
        }

        _watch.Dispose();
        _folder.Dispose();
    }
}
