using HangTriage.Facts;

namespace HangTriage.Capture.Windows;

/// <summary>A thread as its source lists it.</summary>
public sealed record WindowsThread
{
    public required uint Id { get; init; }

    /// <summary>The place in the source's list, from 0: the debugger's thread number.</summary>
    public required int Index { get; init; }

    /// <summary>The thread environment block; 0 where the source names none.</summary>
    public required ulong Teb { get; init; }

    /// <summary>Empty where the source keeps names and has none for this thread.</summary>
    public required Known<string> Name { get; init; }

    public required Known<CpuTime> Cpu { get; init; }

    public required Known<DateTimeOffset> StartedAt { get; init; }

    public required Known<Address> StartAddress { get; init; }

    /// <summary>How often the thread has been suspended; null where the source does not count.</summary>
    public uint? SuspendCount { get; init; }

    /// <summary>The stack memory that the source lists for the thread: from its lowest byte to behind its last; null where it lists none.</summary>
    public AddressRange? Stack { get; init; }
}
