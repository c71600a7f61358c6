using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Reads the runtime's flags of a thread.</summary>
internal static class ThreadStates
{
    // Thread::TS_Interruptible. ClrMD does not name it.
    private const int Interruptible = 0x0200_0000;

    /// <summary>In a wait, sleep or join of the runtime's.</summary>
    public static bool IsBlocked(ClrThread thread) => ((int)thread.State & Interruptible) != 0;
}
