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
}
