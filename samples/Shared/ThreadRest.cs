using Microsoft.Win32.SafeHandles;

namespace Samples;

/// <summary>
/// Tells a thread that waits for good from one that spins first, as most primitives do: the runtime can count that as waiting
/// too, and on a machine with much to do it lasts.
/// </summary>
internal static class ThreadRest
{
    private const int KernelNameLength = 15;
    private const int Looks = 50;

    /// <summary>
    /// Returns when something holds look after look. The primitives spin before they block, and a thread counts as waiting in each yield
    /// of that, but not time after time.
    /// </summary>
    public static void Await(Func<bool> holds)
    {
        for (int inARow = 0; inARow < Looks;)
        {
            inARow = holds() ? inARow + 1 : 0;
            Thread.Sleep(1);
        }
    }

    /// <summary>Whether the runtime says that the thread waits and, on Linux, the kernel that it sleeps.</summary>
    public static bool IsAtRest(Thread thread)
        => thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin)
            && (!OperatingSystem.IsLinux()
                || thread.IsThreadPoolThread
                || Directory.EnumerateDirectories("/proc/self/task").All(task => IsAnotherOrSleeps(task, thread.Name)));

    /// <summary>The same of one thread, by its id: without the list of all threads, and all but without garbage.</summary>
    public static bool IsAtRest(Thread thread, uint osId)
        => thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin) && (!OperatingSystem.IsLinux() || Sleeps($"/proc/self/task/{osId}/stat"));

    private static bool Sleeps(string path)
    {
        Span<byte> line = stackalloc byte[256];
        using SafeFileHandle file = File.OpenHandle(path);
        line = line[..RandomAccess.Read(file, line, 0)];
        return line[line.LastIndexOf((byte)')') + 2] == (byte)'S';
    }

    // The line of a thread starts with its id, its name in brackets and its state. The first thread keeps the program's name,
    // and those of the pool share one.
    private static bool IsAnotherOrSleeps(string task, string? name)
    {
        try
        {
            string line = File.ReadAllText(Path.Combine(task, "stat"));
            int end = line.LastIndexOf(')');
            return line[(line.IndexOf('(') + 1)..end] != name?[..Math.Min(name.Length, KernelNameLength)] || line[end + 2] == 'S';
        }
        catch (IOException)
        {
            // It has ended since.
            return true;
        }
    }
}
