using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Hangs that the lab cannot make, since no dump from there has handles: from the bytes of a dump to what the tool prints.</summary>
public sealed class SyntheticHangTests
{
    private const uint First = 0x100;
    private const uint Second = 0x104;
    private const uint Third = 0x108;
    private const uint Pid = 0x1A2C;

    private readonly NativeHang _hang = new();

    [Fact]
    public void Two_mutexes_taken_in_both_orders_are_a_deadlock()
    {
        _hang.WriteLoaderLock();
        _hang.WaitForObject(First, 0x20, inArgument: true);
        _hang.WaitForObject(Second, 0x24, inArgument: true);
        _hang.WaitForObject(Third, 0x28, inArgument: true); // another handle of the second mutex

        (ToolRun run, JsonElement verdict) = Analyze(Mutex(0x20, Second, "Settings"), Mutex(0x24, First, "Journal"), Mutex(0x28, First, "Journal"));

        Assert.Equal(1, run.ExitCode);
        Assert.Equal(("Deadlock", "Possible", "HT3004"), Heading(verdict));
        Assert.Equal(["0x100", "0x104"], ThreadsOf(verdict.GetProperty("chain"), "from"));
        Assert.Equal(["0x108"], [.. verdict.GetProperty("victims").EnumerateArray().Select(victim => victim.GetProperty("thread").GetString()!)]);
        Assert.Contains("mutex Settings", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void A_mutex_and_a_section_taken_in_both_orders_are_a_deadlock()
    {
        ulong section = _hang.Held(0, Second, waiters: 1);
        _hang.WriteLoaderLock();
        _hang.Enter(First, section, WaitTraces.Register);
        _hang.WaitForObject(Second, 0x20, inArgument: true);

        (ToolRun run, JsonElement verdict) = Analyze(Mutex(0x20, First, "Settings"));

        Assert.Equal(1, run.ExitCode);
        Assert.Equal(("Deadlock", "Possible", "HT3004"), Heading(verdict));
    }

    [Fact]
    public void A_mutex_of_another_process_is_no_orphan_and_no_deadlock()
    {
        _hang.WriteLoaderLock();
        _hang.WaitForObject(First, 0x20, inArgument: true);

        (ToolRun run, JsonElement verdict) = Analyze(Mutex(0x20, 0x2222, "Settings", pid: 0x999));

        Assert.NotEqual(1, run.ExitCode);
        Assert.DoesNotContain(verdict.GetProperty("kind").GetString()!, (string[])["Deadlock", "Orphaned", "NotHung"]);
    }

    [Fact]
    public void A_lock_owner_that_waits_for_a_ports_answer_is_blocked_on_its_server()
    {
        ulong section = _hang.Held(0, Second, waiters: 1);
        _hang.WriteLoaderLock();
        _hang.Enter(First, section, WaitTraces.Register);
        _hang.WaitForReply(Second, 0x30);

        (ToolRun run, JsonElement verdict) = Analyze(new SyntheticHandle(0x30, "ALPC Port") { ObjectName = @"\RPC Control\spooler" });

        Assert.Equal(1, run.ExitCode);
        Assert.Equal(("BlockedOnExternal", "Possible", "HT3008"), Heading(verdict));
        Assert.Equal("0x104", verdict.GetProperty("culprit").GetProperty("thread").GetString());
        Assert.Contains("named spooler", run.Out, StringComparison.Ordinal);
    }

    private static SyntheticHandle Mutex(ulong handle, uint owner, string name, uint pid = Pid)
        => new(handle, "Mutant") { ObjectName = $@"\Sessions\1\BaseNamedObjects\{name}", Information = [KernelObjects.Mutant(0), KernelObjects.MutantOwner(pid, owner)] };

    private (ToolRun Run, JsonElement Verdict) Analyze(params SyntheticHandle[] handles)
    {
        SyntheticMinidump dump = _hang.Process.ToMinidump();
        Array.ForEach(handles, handle => dump.Handle(handle));
        using TemporaryFolder folder = new();
        File.WriteAllBytes(folder["hang.dmp"], dump.Build());
        ToolRun run = Tool.Run("analyze", folder["hang.dmp"], "--format", "json");
        return (run, JsonDocument.Parse(run.Out).RootElement.GetProperty("verdict"));
    }

    private static (string? Kind, string? Confidence, string? Rule) Heading(JsonElement verdict)
        => (verdict.GetProperty("kind").GetString(), verdict.GetProperty("confidence").GetString(), verdict.TryGetProperty("rule", out JsonElement rule) ? rule.GetString() : null);

    private static string[] ThreadsOf(JsonElement links, string end)
        => [.. links.EnumerateArray().Select(link => link.GetProperty(end)).Where(party => party.TryGetProperty("thread", out _)).Select(party => party.GetProperty("thread").GetString()!)];
}
