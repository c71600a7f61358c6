using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.DotnetDump;

internal static class SharedCores
{
    public static async Task<string> OfAsync(string sample, DumpType type = DumpType.Full)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        return (await CoreDumps.OfSampleAsync(sample, TargetFramework.Net10, type, TestContext.Current.CancellationToken)).CorePath;
    }

    /// <summary>A core as a runtime has it written where the sample's first thread gets SIGABRT.</summary>
    public static async Task WriteCrashAsync(string sample, string file)
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        string program = DotNetPrograms.Find(sample, TargetFramework.Net10);
        await DumpTool.DumpAsync(program, [], TestContext.Current.CancellationToken, process => Crash(process, file));
    }

    private static void Crash(Process process, string file)
    {
        string id = process.Id.ToString(CultureInfo.InvariantCulture);
        string createDump = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "createdump");
        using Process dump = Process.Start(new ProcessStartInfo(createDump, ["--withheap", "--signal", "6", "--crashthread", id, "-f", file, id]) { RedirectStandardOutput = true })!;
        string output = dump.StandardOutput.ReadToEnd();
        dump.WaitForExit();
        Assert.True(File.Exists(file), output);
    }
}
