using HangTriage.Capture;
using HangTriage.Capture.Windows;
using HangTriage.Capture.Windows.Minidump;
using HangTriage.Facts;

namespace HangTriage.DbgEng;

/// <summary>What the engine does not hand out, though it stands in the dump file that the session is on.</summary>
/// <param name="StartedAt">When the process was started; the engine gives 0 s of age for the first second and for unknown.</param>
/// <param name="Threads">By thread id, for names and suspend counts.</param>
/// <param name="Handles">The handle stream.</param>
internal sealed record DumpFile(
    Known<DateTimeOffset> StartedAt, IReadOnlyDictionary<uint, WindowsThread> Threads, Known<IReadOnlyList<HandleFacts>> Handles)
{
    /// <summary>Null where the file is none that can be read: compressed, of a kernel, gone.</summary>
    public static DumpFile? TryOpen(string path, CaptureContext context)
    {
        try
        {
            using MinidumpProcess process = MinidumpProcess.Open(path, context);
            Dictionary<uint, WindowsThread> byId = [];
            foreach (WindowsThread thread in process.Threads.TryGet(out IReadOnlyList<WindowsThread>? threads) ? threads : [])
            {
                byId.TryAdd(thread.Id, thread);
            }

            return new DumpFile(process.StartedAt, byId, process.Handles);
        }
        catch (TargetOpenException)
        {
            return null;
        }
    }
}
