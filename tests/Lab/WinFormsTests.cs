using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>A real Windows Forms program that hangs in Task.Result, both ways.</summary>
public sealed class WinFormsTests : IDisposable
{
    private const string Sample = "WinFormsTaskResult";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_handler_whose_task_needs_its_thread_is_a_deadlock_and_is_named()
    {
        JsonElement verdict = Judge();

        Assert.Equal(("Deadlock", "Certain", "HT2001"), (Text(verdict, "kind"), Text(verdict, "confidence"), Text(verdict, "rule")));
        Assert.Contains("is blocked in Task.Result inside MainForm.Button_Click; the task it waits for is async method MainForm.WorkAsync", Text(verdict, "title"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_handler_whose_task_gets_on_elsewhere_is_a_slow_wait()
    {
        JsonElement verdict = Judge("--", "slow");

        Assert.Equal(("SlowWait", "Likely", "HT2003"), (Text(verdict, "kind"), Text(verdict, "confidence"), Text(verdict, "rule")));
        Assert.Contains("is blocked in Task.Result inside MainForm.Button_Click", Text(verdict, "title"), StringComparison.Ordinal);
    }

    private JsonElement Judge(params string[] arguments)
    {
        string dump = _folder["sample.dmp"];
        WindowsLab.Output(["dump", Sample, "0x1806", dump, .. arguments]);
        ToolRun run = WindowsLab.Triage("analyze", WindowsLab.WindowsPath(dump), "--format", "json");
        using JsonDocument report = JsonDocument.Parse(run.Out);
        return report.RootElement.GetProperty("verdict").Clone();
    }

    private static string Text(JsonElement verdict, string name) => verdict.GetProperty(name).GetString()!;
}
