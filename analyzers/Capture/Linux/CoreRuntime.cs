using HangTriage.Capture.Managed;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.Capture.Linux;

/// <summary>Opens the .NET runtime of a core.</summary>
internal static class CoreRuntime
{
    /// <returns>The runtime, which the caller disposes of; null, with the reason, where no library of this machine reads it.</returns>
    /// <exception cref="Exception">ClrMD throws many kinds on what it does not understand.</exception>
    public static ClrRuntime? Open(ClrInfo clr, CaptureContext context, out string why)
    {
        // The runtime's data access is native code and asks for registers by a callback, which nothing can catch an
        // exception of: what makes the notes of the threads unreadable must come out before.
        if (clr.DataTarget.DataReader is IThreadInfoReader threads)
        {
            _ = threads.EnumerateThreadInfo().Count();
        }

        return DacLocator.Find(clr, context, out why) is { } dac ? clr.CreateRuntime(dac, ignoreMismatch: true) : null;
    }
}
