using System.Text.Json.Nodes;
using HangTriage.Capture;
using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>!triage -json and the command line on the same dump: the same, field by field.</summary>
public sealed class DebuggerExtensionReportTests
{
    private const string Full = "0x1806";

    [Theory]
    [InlineData("LoaderLockSpin")]
    [InlineData("CriticalSectionCycle")]
    [InlineData("HealthyNative")]
    public void A_native_process_is_reported_as_the_command_line_reports_it(string sample)
    {
        string dump = WindowsLab.Dump(sample, Full);
        using StringWriter text = new();
        JsonReport.Write(
            Triage.Judge(TargetFile.Capture(dump, CaptureContext.Default)), text, new JsonReportOptions("any", new Dictionary<string, TimeSpan>()));

        AssertSame(text.ToString(), dump);
    }

    [Theory]
    [InlineData("MonitorDeadlock")]
    [InlineData("Healthy")]
    public void A_DotNet_process_is_reported_as_the_command_line_reports_it(string sample)
    {
        string dump = WindowsLab.Dump(sample, Full);

        AssertSame(WindowsLab.Run("triage", "analyze", WindowsLab.WindowsPath(dump), "--format", "json").Output, dump);
    }

    private static void AssertSame(string commandLine, string dump)
    {
        using TemporaryFolder folder = new();
        string file = folder["report.json"];
        LabRun run = DebuggerExtension.Run(DebuggerExtension.DotNet10, dump, $"call: triage -json {WindowsLab.WindowsPath(file)}");
        Assert.True(run.ExitCode == 0, run.Output + run.Error);

        JsonObject expected = Comparable(commandLine);
        JsonObject actual = Comparable(File.ReadAllText(file));
        Assert.Equal(expected.Select(field => field.Key), actual.Select(field => field.Key));
        foreach ((string name, JsonNode? value) in expected)
        {
            Assert.True(JsonNode.DeepEquals(value, actual[name]), $"{name}\nexpected {value}\nactual   {actual[name]}");
        }
    }

    // How it was looked at is not what was seen.
    private static JsonObject Comparable(string json)
    {
        JsonObject report = JsonNode.Parse(json)!.AsObject();
        report.Remove("tool");
        report.Remove("timings");
        report["target"]!.AsObject().Remove("kind");
        return report;
    }
}
