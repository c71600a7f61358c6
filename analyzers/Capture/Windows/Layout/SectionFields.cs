using System.Buffers.Binary;
using HangTriage.Capture.Windows.Layout;

namespace HangTriage.Capture.Windows.Layout;

/// <summary>The fields of an RTL_CRITICAL_SECTION as they lie in memory.</summary>
/// <param name="DebugInfo">Its debug record; 0 or all ones where it has none.</param>
/// <param name="LockCount">Who holds it and how many wait, in a code that depends on the system.</param>
/// <param name="Recursion">How often its owner has entered it.</param>
/// <param name="Owner">A thread id, widened to a pointer.</param>
/// <param name="Semaphore">0, all ones, a handle of Windows or a number of Wine.</param>
/// <param name="SpinCount">Flags in the upper byte of 32 bits, the count below.</param>
internal readonly record struct SectionFields(
    ulong DebugInfo, int LockCount, int Recursion, ulong Owner, ulong Semaphore, ulong SpinCount)
{
    private const int LargestSize = 0x28;

    public static bool TryRead(TargetMemory memory, NativeLayout layout, ulong address, out SectionFields fields)
    {
        Span<byte> bytes = stackalloc byte[LargestSize];
        bytes = bytes[..layout.SectionSize];
        if (!memory.TryRead(address, bytes))
        {
            fields = default;
            return false;
        }

        fields = new SectionFields(
            Pointer(bytes, 0, layout),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[layout.SectionLockCount..]),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[(layout.SectionLockCount + 4)..]),
            Pointer(bytes, layout.SectionOwner, layout),
            Pointer(bytes, layout.SectionSemaphore, layout),
            Pointer(bytes, layout.SectionSpinCount, layout));
        return true;
    }

    /// <summary>Where the debug record lies; false where the section has none.</summary>
    public bool TryGetDebug(NativeLayout layout, out ulong address)
    {
        address = DebugInfo;
        return DebugInfo != 0 && !HasNoDebug(layout) && DebugInfo % (ulong)layout.PointerSize == 0;
    }

    /// <summary>The section says that it has no debug record, as most do since Windows 8.</summary>
    public bool HasNoDebug(NativeLayout layout) => DebugInfo == (layout.PointerSize == sizeof(uint) ? uint.MaxValue : ulong.MaxValue);

    private static ulong Pointer(ReadOnlySpan<byte> bytes, int offset, NativeLayout layout)
        => layout.PointerSize == sizeof(uint)
            ? BinaryPrimitives.ReadUInt32LittleEndian(bytes[offset..])
            : BinaryPrimitives.ReadUInt64LittleEndian(bytes[offset..]);
}
