using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.Capture.Linux;

/// <summary>Opens the .NET runtime of a Linux process with a library of this machine that reads it.</summary>
/// <param name="target">The process; stays the caller's.</param>
internal sealed class CoreRuntime(DataTarget target) : IRuntimeDoor
{
    public OpenedRuntime? Open(CaptureContext context, out string why)
    {
        // The runtime's data access is native code and asks for registers by a callback, which nothing can catch an
        // exception of: what makes the notes of the threads unreadable must come out before.
        if (target.DataReader is IThreadInfoReader threads)
        {
            _ = threads.EnumerateThreadInfo().Count();
        }

        if (target.ClrVersions is not [ClrInfo clr, ..])
        {
            why = "ClrMD recognises no runtime in the core";
            return null;
        }

        if (DacLocator.Find(clr, context, out why) is not { } dac)
        {
            return null;
        }

        ClrRuntime runtime = clr.CreateRuntime(dac, ignoreMismatch: true);
        return new OpenedRuntime(runtime, runtime);
    }
}
