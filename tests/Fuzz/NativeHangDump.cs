using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Fuzz;

/// <summary>Dumps in which threads wait for native locks and objects, so that damage reaches all that reads them.</summary>
internal static class NativeHangDump
{
    public static byte[] Build(string kind) => (kind == "x64" ? X64() : new X86Hang().ToMinidump(wow64: kind == "WoW64")
        .Handle(new SyntheticHandle(0x44, "Thread") { Information = [KernelObjects.Thread32(0x1A2C, X86Hang.Waiter)] })).Build();

    private static SyntheticMinidump X64()
    {
        const uint Owner = 0x100;
        NativeHang hang = new(26100);
        SyntheticThread owner = hang.Idle(Owner);
        SyntheticCriticalSection held = new() { LockCount = -2, RecursionCount = 1, OwningThread = Owner };
        hang.Listed(8, held);
        hang.Listed(9, held);
        hang.WriteLoaderLock(held);
        ulong section = hang.Held(0, Owner, 2);
        hang.Enter(0x104, section, WaitTraces.All);
        hang.Enter(0x108, section, WaitTraces.StackWord);
        ulong srw = hang.Heap.Address + 0x2000;
        SyntheticThread first = hang.AcquireSrw(0x10C, srw, 0);
        SyntheticThread second = hang.AcquireSrw(0x110, srw, NativeHang.SrwBlockOf(first));
        hang.Heap.U64(0x2000, NativeHang.SrwBlockOf(second) | 3);
        hang.SrwSlots(owner, srw);
        hang.WaitForObject(0x114, 0x2A0, inArgument: true);
        hang.WaitForObjects(0x118, 0x2A0, 0x2A4);
        return hang.Process.ToMinidump()
            .Handle(new SyntheticHandle(0x2A0, "Mutant") { ObjectName = @"\Name", Information = [KernelObjects.Mutant(0), KernelObjects.MutantOwner(0x1A2C, Owner)] })
            .Handle(new SyntheticHandle(0x2A4, "Semaphore") { Information = [KernelObjects.Semaphore(0, 1)] });
    }
}
