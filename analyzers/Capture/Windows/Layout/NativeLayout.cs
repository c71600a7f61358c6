using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Layout;

/// <summary>
/// Where the fields that are read lie in the structures of a process, in bytes from each structure's start. Thread and
/// process environment block were computed by compiling the public phnt headers for both widths; RTL_CRITICAL_SECTION
/// and its debug record are those of winnt.h. The wait blocks are known from decompilation alone: what rests on them
/// is marked as assumed.
/// </summary>
internal sealed record NativeLayout
{
    public static NativeLayout X64 { get; } = new()
    {
        PointerSize = 8,
        TebStackBase = 0x08,
        TebStackLimit = 0x10,
        TebSelf = 0x30,
        TebThreadId = 0x48,
        TebPeb = 0x60,
        TebWindowThread = 0x78,
        TebWaitingOnLoaderLock = 0x1760,
        TebSameFlags = 0x17EE,
        TebSchedulerSlot = 0x1850,
        PebImageBase = 0x10,
        PebFastLock = 0x38,
        PebLoaderLock = 0x110,
        PebWaitTable = 0x3A0,
    };

    public static NativeLayout X86 { get; } = new()
    {
        PointerSize = 4,
        TebStackBase = 0x04,
        TebStackLimit = 0x08,
        TebSelf = 0x18,
        TebThreadId = 0x24,
        TebPeb = 0x30,
        TebWindowThread = 0x40,
        TebWaitingOnLoaderLock = 0xF84,
        TebSameFlags = 0xFCA,
        TebSchedulerSlot = 0x1018,
        PebImageBase = 0x08,
        PebFastLock = 0x1C,
        PebLoaderLock = 0xA0,
        PebWaitTable = 0x25C,
    };

    /// <summary>That of a process's own architecture; 64 bits for all that are not x86.</summary>
    public static NativeLayout Of(TargetArchitecture architecture) => architecture == TargetArchitecture.X86 ? X86 : X64;

    public required int PointerSize { get; init; }

    public required int TebStackBase { get; init; }

    public required int TebStackLimit { get; init; }

    public required int TebSelf { get; init; }

    public required int TebThreadId { get; init; }

    public required int TebPeb { get; init; }

    /// <summary>Win32ThreadInfo: set by the kernel when a thread first calls into the window system.</summary>
    public required int TebWindowThread { get; init; }

    /// <summary>ULONG.</summary>
    public required int TebWaitingOnLoaderLock { get; init; }

    /// <summary>USHORT.</summary>
    public required int TebSameFlags { get; init; }

    /// <summary>A pointer to eight pointers to SRW locks, from Windows 11 24H2 on [decompilation].</summary>
    public required int TebSchedulerSlot { get; init; }

    public required int PebImageBase { get; init; }

    /// <summary>A pointer to the section that guards the process environment block.</summary>
    public required int PebFastLock { get; init; }

    public required int PebLoaderLock { get; init; }

    /// <summary>128 pointers to the wait blocks of WaitOnAddress, from Windows 10 on [decompilation].</summary>
    public required int PebWaitTable { get; init; }

    /// <summary>Behind the last of the fields that tell a thread environment block from other memory.</summary>
    public int TebHeadSize => TebPeb + PointerSize;

    /// <summary>RTL_CRITICAL_SECTION.LockCount, behind the pointer DebugInfo.</summary>
    public int SectionLockCount => PointerSize;

    public int SectionOwner => PointerSize + 8;

    public int SectionSemaphore => (2 * PointerSize) + 8;

    public int SectionSpinCount => (3 * PointerSize) + 8;

    public int SectionSize => (4 * PointerSize) + 8;

    /// <summary>RTL_CRITICAL_SECTION_DEBUG.CriticalSection, behind two 16-bit fields and padding.</summary>
    public int DebugSection => PointerSize;

    /// <summary>RTL_CRITICAL_SECTION_DEBUG.ProcessLocksList.</summary>
    public int DebugLinks => 2 * PointerSize;
}
