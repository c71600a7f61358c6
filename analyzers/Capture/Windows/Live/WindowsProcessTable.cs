using System.ComponentModel;
using System.Diagnostics;
using HangTriage.Capture.Live;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Live;

/// <summary>The processes of this machine, as Windows lists them. Nothing is stopped to list them.</summary>
public static class WindowsProcessTable
{
    private const int MostProcesses = 65_536;
    private const int MostThreads = 4_096;

    private static readonly string[] s_runtimes = ["coreclr.dll", "clr.dll"];

    /// <summary>Every process that this user may ask about.</summary>
    public static IReadOnlyList<ProcessEntry> Read()
    {
        List<ProcessEntry> entries = [];
        foreach (Process process in Process.GetProcesses())
        {
            using (process)
            {
                if (entries.Count < MostProcesses && Of(process) is { } entry)
                {
                    entries.Add(entry);
                }
            }
        }

        return entries;
    }

    /// <summary>The scheduler's state in the words of the facts.</summary>
    public static KernelThreadState StateOf(System.Diagnostics.ThreadState state) => state switch
    {
        System.Diagnostics.ThreadState.Running or System.Diagnostics.ThreadState.Ready or System.Diagnostics.ThreadState.Standby => KernelThreadState.Running,
        System.Diagnostics.ThreadState.Wait => KernelThreadState.Sleeping,
        System.Diagnostics.ThreadState.Terminated => KernelThreadState.Ended,
        _ => KernelThreadState.Unknown,
    };

    private static ProcessEntry? Of(Process process)
    {
        try
        {
            string name = SafeText.Clean(process.ProcessName);
            Dictionary<int, ThreadEntry> threads = ThreadsOf(process);
            return new ProcessEntry(process.Id, name + ".exe", name)
            {
                Parent = 0,
                StartedAt = process.StartTime,

                // That of ended threads is left out: Wine tells the caller's own time as that of any process.
                Cpu = threads.Values.Aggregate(new CpuTime(TimeSpan.Zero, TimeSpan.Zero), (sum, thread) => new CpuTime(sum.User + thread.Cpu.User, sum.Kernel + thread.Cpu.Kernel)),
                Transferred = TransferredBy(process.Handle),
                IsDotNet = IsDotNet(process),
                Threads = threads,
            };
        }
        catch (Exception e) when (e is Win32Exception or InvalidOperationException)
        {
            // It has ended, or is none of this user's business.
            return null;
        }
    }

    private static bool? IsDotNet(Process process)
    {
        try
        {
            return process.Modules.Cast<ProcessModule>().Any(module => s_runtimes.Contains(module.ModuleName, StringComparer.OrdinalIgnoreCase));
        }
        catch (Exception e) when (e is Win32Exception or InvalidOperationException)
        {
            return null;
        }
    }

    private static Dictionary<int, ThreadEntry> ThreadsOf(Process process)
    {
        Dictionary<int, ThreadEntry> threads = [];
        foreach (ProcessThread thread in process.Threads.Cast<ProcessThread>().Take(MostThreads))
        {
            nint handle = LiveThreads.Open((uint)thread.Id);
            if (handle != 0)
            {
                LiveThreadFacts facts = LiveThreads.Read(handle);
                string name = facts.Name.TryGet(out string? known) && known.Length > 0 ? known : $"thread {new ThreadId((uint)thread.Id)}";
                threads[thread.Id] = new ThreadEntry(name, StateOf(thread.ThreadState), facts.Cpu.TryGet(out CpuTime? cpu) ? cpu : new CpuTime(TimeSpan.Zero, TimeSpan.Zero));
                _ = WindowsCalls.CloseHandle(handle);
            }
        }

        return threads;
    }

    private static unsafe long? TransferredBy(nint process)
    {
        // IO_COUNTERS: three counts of calls, then bytes read, written and other.
        ulong* counters = stackalloc ulong[6];
        return WindowsCalls.GetProcessIoCounters(process, counters) != 0 ? (long)(counters[3] + counters[4]) : null;
    }
}
