using System.ComponentModel;
using System.Runtime.InteropServices;

namespace HangTriage.Benchmarks;

/// <summary>Processor time of the processes that this one has started and seen end (getrusage).</summary>
internal static class ChildrenTime
{
    private const int Children = -1;

    public static TimeSpan Now()
    {
        long[] usage = new long[18]; // struct rusage: seconds and microseconds of user, then of system time
        return GetUsage(Children, usage) == 0
            ? TimeSpan.FromSeconds(usage[0] + usage[2]) + TimeSpan.FromMicroseconds(usage[1] + usage[3])
            : throw new Win32Exception();
    }

    [DllImport("libc", EntryPoint = "getrusage", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetUsage(int who, [Out] long[] usage);
}
