using System.Buffers.Binary;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Loader;

/// <summary>Finds the loader lock of a 64-bit process by its process environment block, and reads its state.</summary>
internal static class LoaderLockReader
{
    private const string What = "loader lock";
    private const ulong LoaderLockOffset = 0x110; // PEB.LoaderLock, x64, as phnt lays it out

    public static Known<LockFacts> Read(TargetMemory memory, Known<Address> peb)
    {
        if (!peb.TryGet(out Address block))
        {
            return Known.Unknown<LockFacts>(What, $"the process environment block, which leads to it, is not known: {peb.Gap!.Why}");
        }

        if (!memory.TryReadUInt64(unchecked(block.Value + LoaderLockOffset), out ulong address))
        {
            return Known.Unknown<LockFacts>(What, $"the process environment block at {block} {memory.Absent}");
        }

        return address == 0
            ? Known.Unknown<LockFacts>(What, $"the process environment block at {block} names none")
            : Known.Read(CriticalSection.Read(memory, new LockId(LockKind.LoaderLock, new Address(address)), "loader lock"));
    }
}
