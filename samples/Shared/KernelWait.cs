using System.Diagnostics;

namespace Samples;

/// <summary>
/// Tells that a thread waits in the system: for a read or for another process. The runtime counts no such call as a wait.
/// </summary>
internal static class KernelWait
{
    private const int Looks = 200;

    /// <summary>Prints READY, from a thread of its own, when the system says time after time that the caller waits.</summary>
    public static void ReadyWhenCallerWaits()
    {
        uint caller = NativeThreadId.Current;
        _ = Stage.Start("announcer", () =>
        {
            Await(caller);
            Stage.Ready();
        });
    }

    /// <summary>Returns when the system says so many times in a row that the thread waits: fewer for one that looks around in between.</summary>
    public static void Await(uint osId, int looks = Looks)
    {
        for (int inARow = 0; inARow < looks;)
        {
            inARow = Waits(osId) ? inARow + 1 : 0;
            Thread.Sleep(1);
        }
    }

    /// <summary>
    /// Returns when the main thread of another Linux process has waited for as long without a switch. Its CPU time would not
    /// tell: the system counts it in ticks, and a process that starts between two of them has none for good.
    /// </summary>
    public static void Await(Process other)
    {
        string last = "";
        for (int inARow = 0; inARow < Looks;)
        {
            string[] now = File.ReadAllLines($"/proc/{other.Id}/status");
            string switches = string.Join(' ', now.Where(line => line.Contains("_ctxt_switches", StringComparison.Ordinal)));
            inARow = now.Any(line => line.StartsWith("State:\tS", StringComparison.Ordinal)) && switches == last ? inARow + 1 : 0;
            last = switches;
            Thread.Sleep(5);
        }
    }

    // Processes of many threads take long to list them all.
    private static bool Waits(uint osId)
    {
        if (OperatingSystem.IsLinux())
        {
            string line = File.ReadAllText($"/proc/self/task/{osId}/stat");
            return line[line.LastIndexOf(')') + 2] == 'S';
        }

        using Process self = Process.GetCurrentProcess();
        return self.Threads.Cast<ProcessThread>().Any(thread => thread.Id == osId && thread.ThreadState == System.Diagnostics.ThreadState.Wait);
    }
}
