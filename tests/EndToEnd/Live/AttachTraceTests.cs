using System.Diagnostics.Tracing;
using System.Globalization;
using System.Text.Json.Nodes;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>A live process with the recording that its own runtime made of it.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
public sealed class AttachTraceTests
{
    [Fact]
    public async Task A_recording_of_the_process_is_joined_and_one_of_another_process_is_left_out()
    {
        Linux.Need();
        using LiveProgram recorded = await LiveProgram.StartAsync("MonitorDeadlock", [], TestContext.Current.CancellationToken);
        using LiveProgram other = await LiveProgram.StartAsync("MonitorDeadlock", [], TestContext.Current.CancellationToken);
        using TemporaryFolder folder = new();
        await RecordAsync(recorded, folder["slow.nettrace"]);

        ToolRun joined = Tool.Run("attach", recorded.IdText, "--samples", "1", "--pause", "2s", "--trace", folder["slow.nettrace"], "--format", "json", "--quiet");
        ToolRun refused = Tool.Run("attach", other.IdText, "--samples", "1", "--pause", "2s", "--trace", folder["slow.nettrace"], "--format", "json", "--quiet");

        JsonNode report = JsonNode.Parse(joined.Out)!;
        Assert.Equal((1, ""), (joined.ExitCode, joined.Error));
        Assert.Equal(("slow.nettrace", "Deadlock"), ((string?)report["trace"]!["file"], (string?)report["verdict"]!["kind"]));
        Assert.Equal(recorded.IdText, ((uint)Assert.Single(report["trace"]!["processes"]!.AsArray())!["pid"]!).ToString(CultureInfo.InvariantCulture));
        Assert.Equal((1, $"triage: slow.nettrace: it has no process {other.IdText}; the trace is left out\n"), (refused.ExitCode, refused.Error));
        Assert.Null(JsonNode.Parse(refused.Out)!["trace"]);
    }

    private static async Task RecordAsync(LiveProgram program, string path)
    {
        using EventPipeSession session = new DiagnosticsClient(int.Parse(program.IdText, CultureInfo.InvariantCulture))
            .StartEventPipeSession([new EventPipeProvider("Microsoft-DotNETCore-SampleProfiler", EventLevel.Informational)], requestRundown: true);
        await using FileStream file = File.Create(path);
        Task copy = session.EventStream.CopyToAsync(file, TestContext.Current.CancellationToken);
        await session.StopAsync(TestContext.Current.CancellationToken);
        await copy;
    }
}
