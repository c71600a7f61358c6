using System.Runtime.InteropServices;
using HangTriage.Capture.Live;

namespace HangTriage.Capture.Windows.Live;

/// <summary>
/// Stops a thread of this tool's own before the target, and copies memory of its own: all code of the stop is compiled and
/// loaded then, and the target stands still for a fraction of the time.
/// </summary>
internal static unsafe class StopRehearsal
{
    private const ulong Room = 1 << 20;
    private const int Regions = 64;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(50);

    // A thread that has never run holds no lock that this process could need while it is suspended; resumed, it ends.
    public static void Run(StopJournal journal)
    {
        uint id = 0;
        nint start = NativeLibrary.GetExport(NativeLibrary.Load("kernel32", typeof(StopRehearsal).Assembly, DllImportSearchPath.System32), "ExitThread");
        nint thread = WindowsCalls.CreateThread(0, 0, start, 0, WindowsCalls.CreateSuspended, &id);
        using OpenProcess? own = OpenProcess.Of((uint)Environment.ProcessId, out _);
        if (thread != 0 && own is not null)
        {
            Run(own, id, journal);
        }

        if (thread != 0)
        {
            _ = WindowsCalls.ResumeThread(thread);
            _ = WindowsCalls.CloseHandle(thread);
        }
    }

    private static void Run(OpenProcess own, uint thread, StopJournal journal)
    {
        using ThreadSuspender suspender = new(() => [thread], journal);
        using CopyBuffer memory = new(Room);
        StopClock clock = new(s_pause);
        RegionCopy copy = new(own.Handle, memory, clock);
        suspender.Open();
        _ = WindowsStop.CopyStopped(suspender, RegionMap.Of(own.Handle, Regions / 2), () => RegionMap.Of(own.Handle, Regions, clock), copy, clock);
        suspender.Release();
        copy.Close();
    }
}
