using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Prepare;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Lab;

// Makes what tests start and what takes a compiler, before the first test. What is there already is not made again.
if (!OperatingSystem.IsLinux())
{
    Console.WriteLine("nothing to prepare: cores and the lab are Linux's");
    return 0;
}

PreparedPart[] parts =
[
    .. DotNetPrograms.Parts.Values, DotNetPrograms.Optimised, TruthPrograms.Part, TestSuites.Part, OwnRuntime.Part, WebService.Part,
    PublishedTool.Part,
];
Task programs = RunAsync("programs", () => ProgramBuild.Make([.. parts.Where(part => !part.IsMade)]));
if (WindowsLab.IsHere)
{
    // Each of these is a build of few projects, which leaves processors idle: beside the other, the machine is used.
    string[] wanted = Tier.IsWhole ? ["prepare", "all"] : ["prepare", "gate", .. GatePrograms.OnWindows];
    await RunAsync("programs for Windows", () => _ = WindowsLab.Output(wanted));
}

await programs;
return 0;

static async Task RunAsync(string what, Action step)
{
    Stopwatch time = Stopwatch.StartNew();
    await Task.Run(step);
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"prepared {what}: {time.Elapsed.TotalSeconds:F0} s"));
}
