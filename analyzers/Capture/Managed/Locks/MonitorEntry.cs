using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>A sync block: the inflated monitor of an object.</summary>
/// <param name="Index">Its place in the runtime's table; the object's header and the native lock both name it.</param>
/// <param name="Object">The object that is locked.</param>
/// <param name="TypeName">The type of the object; null where its memory is missing.</param>
/// <param name="Block">What the runtime's data access says of it.</param>
internal sealed record MonitorEntry(int Index, ulong Object, string? TypeName, SyncBlock Block)
{
    /// <summary>Held, or free with threads that were told to try: the data access counts both as held.</summary>
    public bool IsInUse => Block.IsMonitorHeld;

    public ulong OwnerThread => Block.HoldingThreadAddress;
}
