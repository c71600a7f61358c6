using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;
using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Two cores of one Linux process, which record no times: what the second look adds.</summary>
public sealed class CoreCaseTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_deadlock_that_was_there_before_says_since_when()
    {
        await DumpTwiceAsync("MonitorDeadlock");

        using JsonDocument report = Judge("second", "first");

        Assert.Equal("Deadlock", Text(report, "verdict", "kind"));
        Assert.Equal("Certain", Text(report, "verdict", "confidence"));
        Assert.Contains(Claims(report, "evidence"), claim => claim.Contains("of the chain were at the same place", StringComparison.Ordinal)
            && claim.Contains("assumed from the files' times", StringComparison.Ordinal));
        Assert.Empty(Claims(report, "contradictions"));
        JsonElement first = report.RootElement.GetProperty("captures")[0];
        Assert.Equal(("randomSeed", "assumed"), (first.GetProperty("joinedBy").GetString(), first.GetProperty("capturedAtTrust").GetString()));
        Assert.True(first.GetProperty("before").GetDouble() > 0);
    }

    [Fact]
    [Trait("Tier", "all")]
    public async Task An_owner_that_yields_at_one_place_in_both_cores_spins()
    {
        await DumpTwiceAsync("YieldingOwner");

        using JsonDocument alone = Judge("second");
        using JsonDocument both = Judge("second", "first");

        Assert.Equal("Inconclusive", Text(alone, "verdict", "kind"));
        Assert.Equal(("SpinningOwner", "Likely"), (Text(both, "verdict", "kind"), Text(both, "verdict", "confidence")));
        Assert.Contains("\"owner\"", Text(both, "verdict", "title"), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Tier", "all")]
    public async Task Threads_that_took_turns_between_the_cores_overturn_what_one_core_shows()
    {
        await DumpTwiceAsync("TurnTakers", TakeTurn);

        using JsonDocument alone = Judge("second");
        using JsonDocument both = Judge("second", "first");

        Assert.Equal(("Orphaned", "Likely"), (Text(alone, "verdict", "kind"), Text(alone, "verdict", "confidence")));
        Assert.Equal("NotHung", Text(both, "verdict", "kind"));
        Assert.Contains(Claims(both, "evidence"), claim => claim.Contains("another thread held the lock at this same place", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_core_of_another_process_that_had_the_same_id_is_refused()
    {
        await DumpTwiceAsync("MonitorDeadlock");
        await DumpTool.DumpAsync(await ProgramAsync("MonitorDeadlock"), [(DumpType.Full, _folder["other"])], Cancellation);
        GiveIdOf("second", "other");

        ToolRun run = Tool.Run(["analyze", "second", "--earlier", "other"], _folder.Folder);

        Assert.Equal("triage: other: it is of another process: the same id, but another random seed; second is judged alone\n", run.Error);
        Assert.Equal(Tool.Run(["analyze", "second"], _folder.Folder).Out, run.Out);
    }

    [Fact]
    public async Task Facts_of_two_cores_judge_like_the_cores()
    {
        await DumpTwiceAsync("MonitorDeadlock");
        Assert.Equal(0, Tool.Run(["capture", "second", "--earlier", "first", "-o", "case.facts.json"], _folder.Folder).ExitCode);

        Assert.Equal(
            Tool.Run(["analyze", "second", "--earlier", "first"], _folder.Folder).Out,
            Tool.Run(["analyze", "case.facts.json"], _folder.Folder).Out);
    }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>Writes the files "first" and "second", of one process.</summary>
    private async Task DumpTwiceAsync(string program, Action<Process>? between = null)
        => await DumpTool.DumpAsync(
            await ProgramAsync(program), [(DumpType.Full, _folder["first"]), (DumpType.Full, _folder["second"])], Cancellation, between: between);

    private static void TakeTurn(Process process)
    {
        process.StandardInput.WriteLine();
        while (process.StandardOutput.ReadLine()?.StartsWith("READY", StringComparison.Ordinal) == false)
        {
        }
    }

    private static async Task<string> ProgramAsync(string name)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        return DotNetPrograms.Find(name, TargetFramework.Net10);
    }

    private JsonDocument Judge(string core, params string[] earlier)
    {
        ToolRun run = Tool.Run(["analyze", core, .. earlier.SelectMany(file => new[] { "--earlier", file }), "--format", "json"], _folder.Folder);
        Assert.Empty(run.Error);
        return JsonDocument.Parse(run.Out);
    }

    private static string Text(JsonDocument report, string part, string name)
        => report.RootElement.GetProperty(part).TryGetProperty(name, out JsonElement value) ? value.GetString()! : string.Empty;

    private static IEnumerable<string> Claims(JsonDocument report, string part)
        => report.RootElement.GetProperty("verdict").GetProperty(part).EnumerateArray().Select(item => item.GetProperty("claim").GetString()!);

    /// <summary>Overwrites the process id in one core's prpsinfo note with that of another.</summary>
    private void GiveIdOf(string core, string target)
    {
        using FileStream from = File.OpenRead(_folder[core]);
        using FileStream to = File.Open(_folder[target], FileMode.Open, FileAccess.ReadWrite);
        Span<byte> pid = stackalloc byte[sizeof(uint)];
        from.Position = PidOffset(from);
        from.ReadExactly(pid);
        to.Position = PidOffset(to);
        to.Write(pid);
    }

    // A note is the size of its owner's name, of its contents, its type and the name, which is padded; 24 bytes into prpsinfo is the id.
    private static long PidOffset(FileStream core)
    {
        byte[] head = new byte[1 << 20];
        core.Position = 0;
        core.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        const int noteHeader = 20;
        byte[] mark = new byte[17];
        BinaryPrimitives.WriteInt32LittleEndian(mark, 5);
        BinaryPrimitives.WriteInt32LittleEndian(mark.AsSpan(4), 136);
        BinaryPrimitives.WriteInt32LittleEndian(mark.AsSpan(8), 3);
        Encoding.ASCII.GetBytes("CORE", mark.AsSpan(12));
        int at = head.AsSpan().IndexOf(mark);
        return at < 0 ? throw new InvalidOperationException("the core has no prpsinfo note") : at + noteHeader + 24;
    }
}
