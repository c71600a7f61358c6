using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>The web service under <c>triage run -- dotnet run</c>. It listens; requests that it does not answer end with this.</summary>
internal sealed class WatchedService : IDisposable
{
    private const string Listening = "LISTENING ";

    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(3);

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
        Process watch = Tool.Start(["run", "--hang-after", hangAfter, "-o", "hang", "--", .. command], folder.Folder, ("MSBUILDDISABLENODEREUSE", "1"));
        while (await watch.StandardOutput.ReadLineAsync(cancellation) is { } line)
        {
            if (line.StartsWith(Listening, StringComparison.Ordinal))
            {
                return new WatchedService(watch, folder, line[Listening.Length..]);
            }
        }

        throw new InvalidOperationException($"the service does not listen: {await watch.StandardError.ReadToEndAsync(cancellation)}");
    }

    public Task<string> AskAsync(string path, CancellationToken cancellation) => _client.GetStringAsync(path, cancellation);

    /// <summary>Waits until the service has been looked at so often: each sample is a process of its own below the one that watches.</summary>
    public async Task AwaitSamplesAsync(int samples, CancellationToken cancellation)
    {
        using CancellationTokenSource bound = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        bound.CancelAfter(s_bound);
        HashSet<int> seen = [];
        while (seen.Count < samples && !_watch.HasExited)
        {
            seen.UnionWith(Samplers.Below(_watch.Id));
            await Task.Delay(20, bound.Token);
        }
    }

    /// <summary>Asks the process that watches to end.</summary>
    public void Terminate()
    {
        using Process kill = Process.Start("kill", ["-TERM", _watch.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    public ToolRun Finish() => Tool.Finish(_watch, s_bound);

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
