namespace HangTriage.Tests.Support.Synthetic;

/// <summary>An x64 RTL_CRITICAL_SECTION, field by field as it lies in memory. By default it is free.</summary>
public sealed record SyntheticCriticalSection
{
    public const int Size = 0x28;

    /// <summary>Where the debug record lies; all ones where ntdll has made none.</summary>
    public ulong DebugInfo { get; init; } = ulong.MaxValue;

    public int LockCount { get; init; } = -1;

    public int RecursionCount { get; init; }

    public ulong OwningThread { get; init; }

    public ulong LockSemaphore { get; init; }

    public ulong SpinCount { get; init; }

    public void WriteTo(SyntheticMemory memory, ulong address)
    {
        int at = memory.OffsetOf(address);
        memory.U64(at, DebugInfo).U32(at + 0x08, (uint)LockCount).U32(at + 0x0C, (uint)RecursionCount);
        memory.U64(at + 0x10, OwningThread).U64(at + 0x18, LockSemaphore).U64(at + 0x20, SpinCount);
    }
}
