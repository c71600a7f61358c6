using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Lab;

// Makes what tests ask for and what takes a compiler, one after the other and before the first test: a test that measures
// a processor's share or catches a moment must not have a compiler beside it. What is there already is not made again.
bool hasLab = WindowsLab.IsHere;
string[] samplesForWindows = [.. Directory.GetDirectories(Repository.Sample("Windows")).Select(folder => Path.GetFileName(folder)!)];

if (OperatingSystem.IsLinux())
{
    foreach (TargetFramework framework in TargetFrameworks.All.Reverse())
    {
        await TimeAsync($"programs for {framework.Moniker()}", () => DotNetPrograms.FindAsync("MonitorDeadlock", framework, CancellationToken.None));
    }

    await TimeAsync("programs of tests/Truth", () => TruthPrograms.FindAsync(CancellationToken.None));
    await TimeAsync("a program with a .NET of its own", () => OwnRuntime.FindAsync(CancellationToken.None));
}

if (Tier.IsWhole)
{
    await TimeAsync("the web service", () => WebService.CommandAsync(CancellationToken.None));
    await TimeAsync("test suites", () => TestSuites.FindAsync("XunitV3", CancellationToken.None));
}

if (hasLab)
{
    await TimeLabAsync("the tool for Windows", "triage", "--version");
    await TimeLabAsync("samples for Windows", "build", "MonitorDeadlock");
    await TimeLabAsync("the frames' reader for Windows", "managed-frames-program");
    foreach (string sample in samplesForWindows)
    {
        await TimeLabAsync($"{sample} for Windows", "build", sample);
    }

    foreach (string framework in Tier.IsWhole ? ["net9.0", "net8.0"] : Array.Empty<string>())
    {
        await TimeLabAsync($"samples for Windows, {framework}", "build", "--framework", framework, "MonitorDeadlock");
    }
}

static Task TimeLabAsync(string what, params string[] command) => TimeAsync(what, () => Task.Run(() => WindowsLab.Output(command)));

static async Task TimeAsync(string what, Func<Task> make)
{
    Stopwatch time = Stopwatch.StartNew();
    await make();
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"prepared {what}: {time.Elapsed.TotalSeconds:F0} s"));
}
