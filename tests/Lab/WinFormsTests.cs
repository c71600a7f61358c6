using System.Text.Json.Nodes;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>Real Windows Forms programs that hang in Task.Result and in Control.Invoke, and ones that do not.</summary>
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

    [Theory]
    [InlineData("lock", "and waits for monitor MainForm._orders")]
    [InlineData("task", "and waits for task of MainForm.Report", Traits = new[] { "Tier", "all" })]
    [InlineData("join", "and waits for the end of thread", Traits = new[] { "Tier", "all" })]
    public void An_invoke_on_a_window_whose_thread_waits_for_the_sender_is_a_deadlock_and_both_ends_are_named(string how, string waits)
    {
        JsonObject verdict = VerdictOf(how);

        Assert.Equal(("Deadlock", "Likely", "HT6006"), (Text(verdict, "kind"), Text(verdict, "confidence"), Text(verdict, "rule")));
        Assert.Matches("waits for the call sent to WindowsFormsSynchronizationContext.*; thread \\d+ \"window\" runs that and waits for ", Text(verdict, "title"));
        Assert.Contains(waits, Text(verdict, "title"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_invoke_on_a_window_whose_thread_works_is_no_hang()
        => Assert.Equal("NotHung", Text(VerdictOf("slow"), "kind"));

    private static JsonObject VerdictOf(string how)
    {
        using TemporaryFolder folder = new();
        string dump = folder["invoke.dmp"];
        WindowsLab.Output("dump", "WinFormsInvoke", "0x1806", dump, "--", how);
        return CommandLineReports.OfDump(dump)["verdict"]!.AsObject();
    }

    private static string Text(JsonObject verdict, string name) => (string)verdict[name]!;
}
