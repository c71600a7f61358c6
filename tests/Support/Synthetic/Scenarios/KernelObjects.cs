namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>
/// What the kernel says of objects, as MiniDumpWriteDump copies it behind a handle's descriptor: the answers to
/// NtQueryMutant, NtQueryInformationThread, NtQueryInformationProcess, NtQueryEvent and NtQuerySemaphore.
/// </summary>
public static class KernelObjects
{
    public static SyntheticHandleInfo Thread(uint pid, uint tid)
        => new(1, new ByteWriter().U32(0x103).U32(0).U64(0x7000_0000).U64(pid).U64(tid).U64(0xFF).U32(8).U32(8).ToArray());

    public static SyntheticHandleInfo Thread32(uint pid, uint tid)
        => new(1, new ByteWriter().U32(0x103).U32(0x7EFD_D000).U32(pid).U32(tid).U32(0xFF).U32(8).U32(8).ToArray());

    public static SyntheticHandleInfo Mutant(int count)
        => new(2, new ByteWriter().U32((uint)count).U8(0).U8(0).U16(0).ToArray());

    public static SyntheticHandleInfo MutantOwner(uint pid, uint tid) => new(3, new ByteWriter().U64(pid).U64(tid).ToArray());

    public static SyntheticHandleInfo MutantOwner32(uint pid, uint tid) => new(3, new ByteWriter().U32(pid).U32(tid).ToArray());

    public static SyntheticHandleInfo Process(uint pid, uint parent)
        => new(5, new ByteWriter().U64(64).U32(0x103).U32(0).U64(0x6000_0000).U64(0xFF).U32(8).U32(0).U64(pid).U64(parent).U64(0).ToArray());

    public static SyntheticHandleInfo Event(bool isSet) => new(6, new ByteWriter().U32(1).U32(isSet ? 1u : 0u).ToArray());

    public static SyntheticHandleInfo Semaphore(uint count, uint maximum) => new(8, new ByteWriter().U32(count).U32(maximum).ToArray());
}
