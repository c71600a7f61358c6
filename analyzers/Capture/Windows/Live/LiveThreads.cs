using System.Runtime.InteropServices;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Live;

/// <summary>Lists the threads of a process, and reads what the system says of each. Nothing is stopped for it.</summary>
internal static unsafe class LiveThreads
{
    private const string Unsaid = "the system does not say";

    /// <summary>The ids of the threads that there are now, in the system's order.</summary>
    public static IReadOnlyList<uint> Ids(uint process, int limit)
    {
        List<uint> ids = [];
        nint snapshot = WindowsCalls.CreateToolhelp32Snapshot(WindowsCalls.SnapThreads, 0);
        if (snapshot is 0 or -1)
        {
            return ids;
        }

        WindowsCalls.ThreadRecord record = new() { Size = (uint)sizeof(WindowsCalls.ThreadRecord) };
        for (int more = WindowsCalls.Thread32First(snapshot, &record); more != 0 && ids.Count < limit; more = WindowsCalls.Thread32Next(snapshot, &record))
        {
            if (record.Process == process)
            {
                ids.Add(record.Thread);
            }
        }

        _ = WindowsCalls.CloseHandle(snapshot);
        return ids;
    }

    /// <summary>0 where it cannot be opened: it has ended, or the system does not allow it.</summary>
    public static nint Open(uint thread)
        => WindowsCalls.OpenThread(WindowsCalls.SuspendAndResume | WindowsCalls.GetContext | WindowsCalls.QueryThread, 0, thread);

    /// <summary>How often the thread is suspended now; 0 where the system does not say (before Windows 8.1).</summary>
    public static int SuspendCount(nint thread)
    {
        uint count = 0;
        return WindowsCalls.NtQueryInformationThread(thread, WindowsCalls.ThreadSuspendCount, &count, sizeof(uint), null) == 0 ? (int)count : 0;
    }

    public static LiveThreadFacts Read(nint thread)
    {
        long created = 0, ended = 0, kernel = 0, user = 0;
        bool hasTimes = WindowsCalls.GetThreadTimes(thread, &created, &ended, &kernel, &user) != 0;
        return new LiveThreadFacts
        {
            Teb = TebOf(thread),
            Name = NameOf(thread),
            Cpu = hasTimes ? Known.Read(new CpuTime(TimeSpan.FromTicks(user), TimeSpan.FromTicks(kernel))) : Known.Unknown<CpuTime>("CPU time", Unsaid),
            StartedAt = hasTimes && created > 0 ? Known.Read(TimeOf(created)) : Known.Unknown<DateTimeOffset>("start time of the thread", Unsaid),
            StartAddress = StartOf(thread) is ulong start ? Known.Read(new Address(start)) : Known.Unknown<Address>("start address", Unsaid),
        };
    }

    /// <param name="fileTime">100 ns since 1601.</param>
    public static DateTimeOffset TimeOf(long fileTime) => DateTimeOffset.FromFileTime(fileTime).ToUniversalTime();

    private static ulong TebOf(nint thread)
    {
        WindowsCalls.BasicThread basic;
        return WindowsCalls.NtQueryInformationThread(thread, WindowsCalls.ThreadBasicInformation, &basic, (uint)sizeof(WindowsCalls.BasicThread), null) == 0 ? basic.Teb : 0;
    }

    private static ulong? StartOf(nint thread)
    {
        ulong start = 0;
        return WindowsCalls.NtQueryInformationThread(thread, WindowsCalls.ThreadStartAddress, &start, sizeof(ulong), null) == 0 ? start : null;
    }

    // Before Windows 10 there is no such call.
    private static Known<string> NameOf(nint thread)
    {
        try
        {
            char* name = null;
            if (WindowsCalls.GetThreadDescription(thread, &name) < 0 || name is null)
            {
                return Known.Unknown<string>("thread name", Unsaid);
            }

            string text = SafeText.Clean(Marshal.PtrToStringUni((nint)name) ?? string.Empty);
            _ = WindowsCalls.LocalFree((nint)name);
            return Known.Read(text);
        }
        catch (EntryPointNotFoundException)
        {
            return Known.Unknown<string>("thread name", "this Windows keeps none");
        }
    }
}
