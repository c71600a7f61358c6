using System.Globalization;
using System.Text.Json.Nodes;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Synthetic.Traces;

namespace HangTriage.Tests.Lab;

/// <summary>!triage -trace in the real engine, on a real dump and a trace that has its process, or another one.</summary>
public sealed class DebuggerExtensionTraceTests : IDisposable
{
    private const string Sample = "LoaderLockSpin";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_trace_is_joined_or_left_out_as_the_command_line_does()
    {
        JsonNode target = CommandLineReports.Of(Sample)["target"]!;
        uint pid = (uint)target["pid"]!;
        uint tid = Convert.ToUInt32((string)CommandLineReports.Of(Sample)["threads"]![0]!["osId"]!, 16);
        DateTimeOffset captured = DateTimeOffset.Parse((string)target["capturedAt"]!, CultureInfo.InvariantCulture);
        Write("slow.etl", captured, pid, tid);
        Write("other.etl", captured, pid + 1000, tid);
        File.WriteAllText(_folder["bad.etl"], "no trace");

        IReadOnlyList<string> answers = DebuggerExtension.Answers(
            ["--dotnet", DebuggerExtension.DotNet10, CommandLineReports.Dump(Sample)],
            $"call: triage -trace {Path("slow.etl")} -json {Path("report.json")}",
            $"call: triage -trace {Path("other.etl")}",
            $"call: triage -trace {Path("bad.etl")}");

        JsonNode trace = JsonNode.Parse(File.ReadAllText(_folder["report.json"]))!["trace"]!;
        Assert.Equal(("slow.etl", "usersWord"), ((string?)trace["file"], (string?)trace["joinedBy"]));
        Assert.Equal($"0x{tid:x}", (string?)Assert.Single(trace["threads"]!.AsArray())!["osId"]);
        Assert.Equal(60, (double)trace["threads"]![0]!["running"]!);
        Assert.Contains("Trace   slow.etl, ", answers[0], StringComparison.Ordinal);
        Assert.StartsWith($"triage: other.etl: it has no process {pid}; the trace is left out", answers[1].TrimStart(), StringComparison.Ordinal);
        Assert.Contains("== SPINNING OWNER, ", answers[1], StringComparison.Ordinal);
        Assert.Contains("bad.etl: not a trace of a known kind: ", answers[2], StringComparison.Ordinal);
        Assert.Contains("HRESULT 0x8007000b", answers[2], StringComparison.Ordinal);
    }

    /// <summary>A window of 200 ms around the capture, in which one thread runs for 60 ms.</summary>
    private void Write(string name, DateTimeOffset captured, uint pid, uint tid)
        => File.WriteAllBytes(_folder[name], new SyntheticTrace { Start = captured.AddMilliseconds(-100) }
            .Process(0, 3, pid, Sample + ".exe").Thread(100, 3, pid, tid).Switch(300_000, 0, tid, 0).Switch(900_000, 0, 0, tid)
            .Thread(2_000_000, 4, pid, tid).Build());

    private string Path(string name) => WindowsLab.WindowsPath(_folder[name]);
}
