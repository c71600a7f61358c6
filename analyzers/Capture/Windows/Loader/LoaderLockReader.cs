using HangTriage.Capture.Windows.Layout;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Loader;

/// <summary>Finds the loader lock of a process by its process environment block, and reads its state.</summary>
internal static class LoaderLockReader
{
    private const string What = "loader lock";

    public static Known<LockFacts> Read(TargetMemory memory, NativeLayout layout, Known<Address> peb)
    {
        if (!peb.TryGet(out Address block))
        {
            return Known.Unknown<LockFacts>(What, $"the process environment block, which leads to it, is not known: {peb.Gap!.Why}");
        }

        if (!memory.TryReadPointer(unchecked(block.Value + (ulong)layout.PebLoaderLock), layout.PointerSize, out ulong address))
        {
            return Known.Unknown<LockFacts>(What, $"the process environment block at {block} {memory.Absent}");
        }

        return address == 0
            ? Known.Unknown<LockFacts>(What, $"the process environment block at {block} names none")
            : Known.Read(CriticalSection.Read(
                memory, layout, new LockId(LockKind.LoaderLock, new Address(address)), Known.Derived("loader lock")));
    }
}
