using System.Globalization;
using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.Tests.DotnetDump;

/// <summary>The command's option --trace, on a real core, with a trace of its process as 'perf script' writes it.</summary>
public sealed class TraceTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_trace_of_the_cores_process_is_joined()
    {
        string core = await SharedCores.OfAsync("MonitorDeadlock");
        (uint pid, uint tid) = ProcessOf(core);
        WriteTrace(pid, tid);
        using HostSession host = new(core);

        host.Run(("--trace", _folder["slow.txt"]), ("--json", _folder["report.json"]));

        using JsonDocument report = JsonDocument.Parse(await File.ReadAllTextAsync(_folder["report.json"], TestContext.Current.CancellationToken));
        JsonElement trace = report.RootElement.GetProperty("trace");
        Assert.Equal(("slow.txt", "usersWord"), (trace.GetProperty("file").GetString(), trace.GetProperty("joinedBy").GetString()));
        JsonElement thread = Assert.Single(trace.GetProperty("threads").EnumerateArray());
        Assert.Equal($"0x{tid:x}", thread.GetProperty("osId").GetString());
        Assert.Equal(250, thread.GetProperty("running").GetDouble());
        Assert.Contains("Trace   slow.txt, ", host.Output, StringComparison.Ordinal);
        Assert.StartsWith("== DEADLOCK, certain", host.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_trace_of_another_process_is_left_out_in_the_words_of_the_command_line()
    {
        string core = await SharedCores.OfAsync("MonitorDeadlock");
        (uint pid, uint tid) = ProcessOf(core);
        WriteTrace(pid + 100_000, tid + 100_000);
        using HostSession host = new(core);

        host.Run(("--trace", _folder["slow.txt"]));

        string line = $"triage: slow.txt: it has no process {pid}; the trace is left out\n";
        Assert.StartsWith(line + "== DEADLOCK, certain", host.Output, StringComparison.Ordinal);
        Assert.Equal(line, Tool.Run("analyze", core, "--trace", _folder["slow.txt"]).Error);
    }

    [Fact]
    public async Task A_file_that_is_not_there_is_refused_before_the_work()
    {
        using HostSession host = new(await SharedCores.OfAsync("Healthy"));

        DiagnosticsException error = Assert.Throws<DiagnosticsException>(() => host.Run(("--trace", "/no/such/trace.etl")));

        Assert.Equal("triage: /no/such/trace.etl: there is no such file", error.Message);
        Assert.Empty(host.Output);
    }

    [Theory]
    [InlineData("no trace", "not a trace of a known kind: ")]
    [InlineData("Nettrace\x14\0\0\0!FastSerialization.1", "a .nettrace file is not read within a debugger, ")]
    public async Task A_file_that_is_not_read_here_is_one_line_and_no_verdict(string content, string why)
    {
        await File.WriteAllTextAsync(_folder["slow.nettrace"], content, TestContext.Current.CancellationToken);
        using HostSession host = new(await SharedCores.OfAsync("Healthy"));

        DiagnosticsException error = Assert.Throws<DiagnosticsException>(() => host.Run(("--trace", _folder["slow.nettrace"])));

        Assert.StartsWith($"triage: {_folder["slow.nettrace"]}: {why}", error.Message, StringComparison.Ordinal);
        Assert.Empty(host.Output);
    }

    private static (uint Pid, uint Tid) ProcessOf(string core)
    {
        using DataTarget target = DataTarget.LoadDump(core);
        return ((uint)target.DataReader.ProcessId, ((IThreadReader)target.DataReader).EnumerateOSThreadIds().Last());
    }

    /// <summary>A thread that runs for 250 ms and sleeps for the rest of 2 s.</summary>
    private void WriteTrace(uint pid, uint tid) => File.WriteAllText(_folder["slow.txt"], string.Create(CultureInfo.InvariantCulture, $"""
        swapper     0/0     [000]   100.000000000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid={tid} next_prio=120
        app {pid}/{tid} [000]   100.250000000: sched:sched_switch: prev_comm=app prev_pid={tid} prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
        swapper     0/0     [000]   102.000000000: sched:sched_wakeup: comm=app pid={tid} prio=120 target_cpu=000

        """));
}
