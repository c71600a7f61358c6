using System.Globalization;
using System.Text;
using HangTriage.Capture.Live;

namespace HangTriage.Capture.Linux.Live;

/// <summary>The processes of this machine. Nothing is stopped to list them.</summary>
public static class ProcessTable
{
    private const int MostProcesses = 65_536;
    private const int MostThreads = 4_096;
    private const int LongestCommand = 64 * 1024;

    /// <summary>Every process with memory of its own; empty where there is no /proc.</summary>
    public static IReadOnlyList<ProcessEntry> Read()
    {
        DateTimeOffset? boot = SystemClock.BootTime();
        return [.. Ids().Take(MostProcesses).Select(id => Of(id, boot)).OfType<ProcessEntry>()];
    }

    /// <summary>Null where there is none of that id, or it is a thread of the kernel.</summary>
    public static ProcessEntry? Find(int id) => Of(id, SystemClock.BootTime());

    private static IEnumerable<int> Ids()
    {
        string[] folders = [];
        try
        {
            folders = Directory.Exists("/proc") ? Directory.GetDirectories("/proc") : [];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Nothing is listed.
        }

        foreach (string folder in folders)
        {
            if (int.TryParse(Path.GetFileName(folder.AsSpan()), NumberStyles.None, CultureInfo.InvariantCulture, out int id))
            {
                yield return id;
            }
        }
    }

    private static ProcessEntry? Of(int id, DateTimeOffset? boot)
    {
        string folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{id}/");
        return StatFields.Read(folder + "stat") is not { State: not ('Z' or 'X') } stat || ProcFile.Value(ProcFile.Text(folder + "status"), "VmSize") is null
            ? null
            : new ProcessEntry(id, SafeText.Clean(ProgramOf(folder) ?? stat.Name), SafeText.Clean(stat.Name))
            {
                Parent = stat.Parent,
                StartedAt = boot + stat.Started,
                Cpu = new Facts.CpuTime(stat.User, stat.Kernel),
                Transferred = TransferredOf(folder),
                IsDotNet = ProcFile.Text(folder + "maps")?.Contains("/libcoreclr.so", StringComparison.Ordinal),
                Threads = ThreadsOf(id),
            };
    }

    private static Dictionary<int, ThreadEntry> ThreadsOf(int process)
    {
        Dictionary<int, ThreadEntry> threads = [];
        foreach (int id in TaskFolder.Ids(process).Take(MostThreads))
        {
            string folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/task/{id}/");
            if (StatFields.Read(folder + "stat") is { } stat)
            {
                Facts.CpuTime cpu = ThreadFiles.CpuOf(stat, ProcFile.Text(folder + "schedstat"));
                threads[id] = new ThreadEntry(SafeText.Clean(stat.Name), ThreadFiles.StateOf(stat.State), cpu)
                {
                    IsBlockedWorker = PoolWorker.IsBlocked(stat.Name, folder),
                };
            }
        }

        return threads;
    }

    // Of the command line only the program's own name is taken: what follows can hold passwords.
    private static string? ProgramOf(string folder)
    {
        string[] words = ProcFile.Bytes(folder + "cmdline") is { Length: > 0 } bytes
            ? Encoding.UTF8.GetString(bytes, 0, Math.Min(bytes.Length, LongestCommand)).Split('\0', StringSplitOptions.RemoveEmptyEntries)
            : [];
        string? program = words is [{ } first, ..] && Path.GetFileName(first) is { Length: > 0 } name ? name : null;
        return program == "dotnet" && words.Skip(1).FirstOrDefault(word => word.EndsWith(".dll", StringComparison.Ordinal)) is { } assembly
            ? Path.GetFileName(assembly)
            : program;
    }

    private static long? TransferredOf(string folder)
    {
        string? text = ProcFile.Text(folder + "io");
        return long.TryParse(ProcFile.Value(text, "rchar"), NumberStyles.None, CultureInfo.InvariantCulture, out long read)
            && long.TryParse(ProcFile.Value(text, "wchar"), NumberStyles.None, CultureInfo.InvariantCulture, out long written) ? read + written : null;
    }
}
