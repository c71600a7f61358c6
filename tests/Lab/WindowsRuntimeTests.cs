using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Lab;

/// <summary>The library that reads a Windows runtime's data: which file is loaded, and what its facts are worth elsewhere.</summary>
[Trait("Tier", "all")]
public sealed class WindowsRuntimeTests : IDisposable
{
    // Another one than the tool's own, whose library would be found first.
    private const string Framework = "net9.0";
    private const string Sample = "MonitorDeadlock";
    private const string Dac = "mscordaccore.dll";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Only_the_signed_library_of_the_dumps_own_build_is_loaded()
    {
        string samples = WindowsLab.Output("build", "--framework", Framework, Sample).Trim();
        string own = CopyOf(samples);
        string dump = _folder["sample.dmp"];
        WindowsLab.Output("dump", Path.Combine(own, Sample + ".exe"), "0x1806", dump);
        string dac = Path.Combine(own, Dac);

        Assert.Equal(1, Analyze(dump).ExitCode);

        byte[] signed = File.ReadAllBytes(dac);
        byte[] tampered = [.. signed];
        tampered[tampered.Length / 2] ^= 1;
        File.WriteAllBytes(dac, tampered);
        AssertNotRead(Analyze(dump), "reading failed");

        File.Copy(Path.Combine(WindowsLab.Output("build", "--framework", "net8.0", Sample).Trim(), Dac), dac, overwrite: true);
        File.Delete(Path.Combine(own, "coreclr.dll"));
        AssertNotRead(Analyze(dump), "this machine has no mscordaccore.dll of the dump's runtime");

        Assert.Equal(1, Analyze(dump, "--symbols", WindowsLab.WindowsPath(samples)).ExitCode);
    }

    [Fact]
    public void Facts_that_were_captured_on_Windows_are_judged_alike_on_Linux()
    {
        string dump = _folder["sample.dmp"];
        string facts = _folder["sample.facts.json"];
        WindowsLab.Output("dump", "--framework", Framework, Sample, "0x1806", dump);

        ToolRun capture = WindowsLab.Triage("capture", WindowsLab.WindowsPath(dump), "-o", WindowsLab.WindowsPath(facts));
        ToolRun judged = Tool.Run("analyze", facts, "--format", "json");

        Assert.Equal(0, capture.ExitCode);
        Assert.Empty(ReportCheck.Differences(ExpectedVerdict.Of(Sample), judged));
    }

    private static ToolRun Analyze(string dump, params string[] options)
        => WindowsLab.Triage(["analyze", WindowsLab.WindowsPath(dump), .. options]);

    private static void AssertNotRead(ToolRun run, string why)
    {
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(why, string.Join(' ', run.Out.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
    }

    /// <summary>Without the copy of the library that has the build in its name.</summary>
    private string CopyOf(string samples)
    {
        string copy = Directory.CreateDirectory(_folder["program"]).FullName;
        foreach (string file in Directory.EnumerateFiles(samples).Where(file => !Path.GetFileName(file).StartsWith("mscordaccore_", StringComparison.Ordinal)))
        {
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        }

        return copy;
    }
}
