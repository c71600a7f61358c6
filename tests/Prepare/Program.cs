using HangTriage.Tests.Prepare;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Lab;

// Makes what tests start and what takes a compiler, before the first test. What is there already is not made again.
if (!OperatingSystem.IsLinux())
{
    Console.WriteLine("nothing to prepare: cores and the lab are Linux's");
    return 0;
}

PreparedPart[] parts = [.. DotNetPrograms.Parts.Values, TruthPrograms.Part, TestSuites.Part, OwnRuntime.Part, WebService.Part];
Task programs = Steps.RunAsync("programs", () => ProgramBuild.Make([.. parts.Where(part => !part.IsMade)]));
if (WindowsLab.IsHere)
{
    // Each of these is a build of few projects, which leaves processors idle: beside the other, the machine is used.
    await Steps.RunAsync("programs for Windows", () => _ = WindowsLab.Output("prepare", Tier.IsWhole ? "all" : "gate"));
}

await programs;
return 0;
