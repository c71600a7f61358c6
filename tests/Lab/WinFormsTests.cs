using System.Text.Json.Nodes;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>A real Windows Forms program that hangs in Task.Result, both ways.</summary>
public sealed class WinFormsTests
{
    private const string Sample = "WinFormsTaskResult";

    [Fact]
    public void A_handler_whose_task_needs_its_thread_is_a_deadlock_and_is_named()
    {
        JsonObject verdict = CommandLineReports.Of(Sample)["verdict"]!.AsObject();

        Assert.Equal(("Deadlock", "Certain", "HT2001"), (Text(verdict, "kind"), Text(verdict, "confidence"), Text(verdict, "rule")));
        Assert.Contains("is blocked in Task.Result inside MainForm.Button_Click; the task it waits for is async method MainForm.WorkAsync", Text(verdict, "title"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_handler_whose_task_gets_on_elsewhere_is_a_slow_wait()
    {
        using TemporaryFolder folder = new();
        string dump = folder["sample.dmp"];
        WindowsLab.Output("dump", Sample, "0x1806", dump, "--", "slow");

        JsonObject verdict = CommandLineReports.OfDump(dump)["verdict"]!.AsObject();

        Assert.Equal(("SlowWait", "Likely", "HT2003"), (Text(verdict, "kind"), Text(verdict, "confidence"), Text(verdict, "rule")));
        Assert.Contains("is blocked in Task.Result inside MainForm.Button_Click", Text(verdict, "title"), StringComparison.Ordinal);
    }

    private static string Text(JsonObject verdict, string name) => (string)verdict[name]!;
}
