using System.Diagnostics;
using HangTriage.Capture.Live;

namespace HangTriage.Capture.Linux.Live;

/// <summary>
/// Stops a process of this tool's own before the target: all code of the stop is compiled and loaded then, and the target
/// stands still half as long.
/// </summary>
internal static class Rehearsal
{
    public static void Run()
    {
        try
        {
            // It ends with its input, and so with this process, whatever ends that; until then it keeps no other pipe of it open.
            ProcessStartInfo start = new("cat") { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
            using Process child = Process.Start(start)!;
            try
            {
                StopClock clock = new(TimeSpan.FromMilliseconds(50));
                ThreadStopper stopper = new(child.Id, limit: 16);
                stopper.Stop(clock);
                using MemoryCopy memory = new(1 << 20);
                using PageTable pages = new(child.Id);
                new CopyOrder(child.Id, memory, clock).Copy(MemoryMaps.Of(child.Id, 1_000), pages, LiveStop.StackPointers(stopper));
                stopper.Release();
            }
            finally
            {
                child.Kill();
                child.WaitForExit();
            }
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // Without it the first stop takes a little longer.
        }
    }
}
