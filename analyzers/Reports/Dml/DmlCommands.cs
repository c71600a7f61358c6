using HangTriage.Facts;

namespace HangTriage.Reports.Dml;

/// <summary>The debugger's commands that show what a report speaks of.</summary>
internal static class DmlCommands
{
    /// <summary>Makes the thread the current one and shows its stack.</summary>
    public static string Show(ThreadId thread) => $"~~[{thread}]s;k";

    /// <summary>The nearest symbol, and the code up to the frame's place.</summary>
    public static string Show(FrameFacts frame)
        => frame.Kind == FrameKind.Managed ? $"!ip2md {frame.Ip}" : $"ln {frame.Ip};ub {frame.Ip}";

    /// <summary>An object of .NET.</summary>
    public static string ShowObject(Address address) => $"!do {address}";

    public static string Show(LockId id) => id.Kind switch
    {
        LockKind.LoaderLock or LockKind.CriticalSection => $"!cs {id.Address}",
        LockKind.Monitor or LockKind.ManagedLock => $"!do {id.Address}",
        LockKind.SrwLock => $"dt ntdll!_RTL_SRWLOCK {id.Address}",
        LockKind.Address or LockKind.PthreadMutex or LockKind.PthreadReaderWriterLock => $"dp {id.Address} L1",
        _ => $"!handle {id.Address} f",
    };
}
