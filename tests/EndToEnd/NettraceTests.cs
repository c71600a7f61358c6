using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Records a program that keeps its own record of what its runtime tells it, and compares.</summary>
public sealed class NettraceTests : IDisposable
{
    /// <summary>GC, Loader, Jit, NGen, Contention, Threading, WaitHandle.</summary>
    private const long Wanted = 0x1 | 0x8 | 0x10 | 0x20 | 0x4000 | 0x10000 | 0x40000000000;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Counts_and_owners_are_those_that_the_program_recorded_itself()
    {
        IReadOnlyList<string[]> own = await RecordAsync();
        ToolRun run = Tool.Run(["trace", "slow.nettrace", "--format", "json"], _folder.Folder);

        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        using JsonDocument json = JsonDocument.Parse(run.Out);
        JsonElement trace = json.RootElement.GetProperty("trace");
        string[] contentions = [.. own.Where(line => line[0] == "contention").Select(line => string.Join(' ', line[1..])).Order(StringComparer.Ordinal)];
        Assert.Equal(2, contentions.Length);
        Assert.Equal(contentions, Counts(trace.GetProperty("contentions"), "owner", own).Order(StringComparer.Ordinal));
        Assert.Equal(
            own.Where(line => line[0] == "wait").Select(line => $"{line[1]} {line[2]}").Order(StringComparer.Ordinal),
            Counts(trace.GetProperty("handleWaits"), owner: null, own).Order(StringComparer.Ordinal));
        JsonElement runtime = Assert.Single(trace.GetProperty("runtimes").EnumerateArray());

        // The pool starves and the heap is collected by themselves, too, also between the program's record and the recording's end.
        Assert.InRange(runtime.GetProperty("starvations").GetInt32(), Value(own, "starvations"), Value(own, "all-starvations"));
        Assert.InRange(runtime.GetProperty("suspensions").GetInt32(), Value(own, "suspensions"), Value(own, "all-suspensions"));
        Assert.True(Value(own, "starvations") >= 2 && Value(own, "suspensions") >= 3);
        Assert.Contains(
            trace.GetProperty("threads").EnumerateArray().SelectMany(thread => thread.GetProperty("functions").EnumerateArray()),
            function => function.GetProperty("name").GetString() == "OwnRecord.Program.Burn" && function.GetProperty("inclusive").GetInt64() > 20);
        Assert.Equal("OwnRecord", Assert.Single(trace.GetProperty("processes").EnumerateArray()).GetProperty("name").GetString());
        IsJoinedWithCore();
    }

    private void IsJoinedWithCore()
    {
        using JsonDocument json = JsonDocument.Parse(Tool.Run(["analyze", "core", "--trace", "slow.nettrace", "--format", "json"], _folder.Folder).Out);
        JsonElement trace = json.RootElement.GetProperty("trace");
        Assert.Equal(("slow.nettrace", "usersWord"), (trace.GetProperty("file").GetString(), trace.GetProperty("joinedBy").GetString()));
        Assert.NotEmpty(trace.GetProperty("contentions").EnumerateArray());
    }

    /// <summary>Those of the threads that the record has: others may have waited before it began, or behind its end.</summary>
    private static IEnumerable<string> Counts(JsonElement waits, string? owner, IReadOnlyList<string[]> own)
        => waits.EnumerateArray()
            .Where(wait => own.Any(line => line.Length > 2 && line[1] == wait.GetProperty("waiter").GetString()))
            .Where(wait => owner is not null || own.Any(line => line[0] == "wait" && line[1] == wait.GetProperty("waiter").GetString()))
            .Select(wait => (Waiter: wait.GetProperty("waiter").GetString(), Owner: owner is null ? null : wait.GetProperty(owner).GetString(), Count: wait.GetProperty("count").GetInt64()))
            .GroupBy(wait => (wait.Waiter, wait.Owner))
            .Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Key.Waiter}{(group.Key.Owner is { } by ? $" {by}" : "")} {group.Sum(wait => wait.Count)}"));

    private static int Value(IReadOnlyList<string[]> own, string name) => int.Parse(own.Single(line => line[0] == name)[1], CultureInfo.InvariantCulture);

    private async Task<IReadOnlyList<string[]>> RecordAsync()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        CancellationToken cancellation = TestContext.Current.CancellationToken;
        string program = DotNetPrograms.Find("OwnRecord", TargetFramework.Net10);
        List<string[]> record = [];
        await DumpTool.DumpAsync(program, [(DumpType.Full, _folder["core"])], cancellation, process => record.AddRange(Record(process)));
        return record;
    }

    private List<string[]> Record(Process process)
    {
        using EventPipeSession session = new DiagnosticsClient(process.Id).StartEventPipeSession(
            [new EventPipeProvider("Microsoft-Windows-DotNETRuntime", EventLevel.Verbose, Wanted), new EventPipeProvider("Microsoft-DotNETCore-SampleProfiler", EventLevel.Informational)],
            requestRundown: true);
        using FileStream file = File.Create(_folder["slow.nettrace"]);
        Task copy = session.EventStream.CopyToAsync(file);
        List<string[]> lines = [.. LinesOfNextStep(process)];
        session.Stop();
        copy.Wait();
        lines.AddRange(LinesOfNextStep(process));
        return lines;
    }

    private static IEnumerable<string[]> LinesOfNextStep(Process process)
    {
        process.StandardInput.WriteLine();
        while (process.StandardOutput.ReadLine() is { } line && line != "READY")
        {
            yield return line.Split(' ');
        }
    }
}
