namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>
/// A 32-bit process in Windows 7: one thread holds a section, another is in RtlEnterCriticalSection. It can be dumped by
/// a 32-bit writer, or by a 64-bit one that sees the 64-bit layer below it (WoW64).
/// </summary>
public sealed class X86Hang
{
    public const uint Owner = 0x100;
    public const uint Waiter = 0x104;
    public const uint Section = Heap + 0x100;
    public const uint LoaderLock = 0x7700_0000 + SyntheticImage32.DataRva + 0x20;
    private const uint Heap = 0x0060_0000;
    private const uint Stack = 0x0037_0000;
    private const uint Stride = 0x1_0000;
    private const uint Peb = 0x7EFD_E000;
    private const uint FirstTeb = 0x7EFA_0000;
    private const uint TebStride = 0x4000;
    private const uint Wow64TebOffset = 0x2000;
    private const ulong NativeContext = 0x8E_0000;

    private readonly SyntheticImage32 _app = new(@"C:\app\app.exe", 0x0040_0000);
    private readonly SyntheticMemory _heap = new(Heap, 0x1000);
    private readonly List<(uint Id, SyntheticMemory Stack, uint Ip, uint Sp, uint Bp)> _threads = [];

    public X86Hang()
    {
        Ntdll.SystemCall("NtWaitForSingleObject", 0x1000, 1, 3).Export("RtlEnterCriticalSection", 0x1100).Export("RtlUserThreadStart", 0x1800);
        Ntdll.Data.U32(0x20, uint.MaxValue).U32(0x24, uint.MaxValue); // the loader lock: no debug record, free
        Thread(Owner, _app.CallBefore(0x1040), handle: 0x44, section: 0);
        Thread(Waiter, Ntdll.CallBefore(0x1150), handle: 0x48, Section);
        Held(-6, Owner);
    }

    public SyntheticImage32 Ntdll { get; } = new(@"C:\Windows\SysWOW64\ntdll.dll", 0x7700_0000);

    /// <summary>The frame pointer of the waiter's innermost frame with one.</summary>
    public uint WaiterFrame => _threads[1].Bp;

    public void Held(int lockCount, uint owner)
        => _heap.U32(0x100, uint.MaxValue).U32(0x104, (uint)lockCount).U32(0x108, 1).U32(0x10C, owner).U32(0x110, 0).U32(0x114, 0);

    /// <summary>Adds a thread that sleeps for so many units of 100 ns, negative from now on; it keeps them on its stack.</summary>
    public void Sleeper(uint id, long units)
    {
        const uint Stub = 0x1040;
        const int Offset = 0xE20;
        Ntdll.SystemCall("NtDelayExecution", Stub, 0x31, 2);
        Thread(id, _app.CallBefore(0x1040), handle: 0, section: 0, Stub);
        SyntheticMemory stack = _threads[^1].Stack;
        stack.U32(0xE0C, (uint)stack.Address + Offset).U64(Offset, unchecked((ulong)units));
    }

    /// <summary>Adds a thread that stands right behind this code, which an export names.</summary>
    public void InStub(uint id, string name, byte[] code)
    {
        const uint Stub = 0x1080;
        Ntdll.Export(name, Stub + 0x15 - (uint)code.Length, code);
        Thread(id, _app.CallBefore(0x1040), handle: 0, section: 0, Stub);
    }

    /// <summary>Overwrites a word of the waiter's stack.</summary>
    public void Overwrite(uint address, uint value) => _threads[1].Stack.U32(_threads[1].Stack.OffsetOf(address), value);

    public SyntheticMinidump ToMinidump(bool withCode = true, bool wow64 = false, uint build = 7601)
    {
        SyntheticMinidump dump = new SyntheticMinidump()
            .System(new SyntheticSystem
            {
                Architecture = wow64 ? SyntheticArchitecture.X64 : SyntheticArchitecture.X86, Major = 6, Minor = 1, Build = build,
            })
            .Module(_app.ToModule()).Module(Ntdll.ToModule());
        dump.Memory(_heap).Memory(new SyntheticMemory(Peb, 0x400).U32(0x08, _app.Base).U32(0xA0, LoaderLock));
        dump.Memory(withCode ? _app.ToMemory() : _app.Data).Memory(withCode ? Ntdll.ToMemory() : Ntdll.Data);
        if (wow64)
        {
            dump.Module(new SyntheticModule { Base = 0x7538_0000, Size = 0x3F000, Path = @"C:\Windows\System32\wow64.dll" });
        }

        for (int i = 0; i < _threads.Count; i++)
        {
            AddThread(dump, i, wow64);
        }

        return dump;
    }

    private void AddThread(SyntheticMinidump dump, int index, bool wow64)
    {
        (uint id, SyntheticMemory stack, uint ip, uint sp, uint bp) = _threads[index];
        uint native = FirstTeb + ((uint)index * TebStride);
        uint teb = native + Wow64TebOffset;
        byte[] context = ContextX86.Create(ip, sp, bp);
        dump.Memory(stack).Memory(new SyntheticMemory(teb, 0x1020)
            .U32(0x04, (uint)stack.End).U32(0x08, (uint)stack.Address).U32(0x18, teb).U32(0x24, id).U32(0x30, Peb));
        if (wow64)
        {
            // The 64-bit block; TLS slot 1 leads to four bytes and the 32-bit registers.
            ulong area = NativeContext + ((ulong)index * 0x1000);
            dump.Memory(new SyntheticMemory(area, 0x1000).Copy(4, context));
            dump.Memory(new SyntheticMemory(native, 0x1900).U64(0x30, native).U64(0x48, id).U64(0x60, Peb + 0x1000).U64(0x1488, area));
            context = ContextAmd64.Create(new ulong[16], 0x7538_1000);
        }

        dump.Thread(new SyntheticThreadRecord { Id = id, Teb = wow64 ? native : teb, Stack = stack, Context = context });
    }

    /// <summary>
    /// Lays out a stack: the stub's junk word and return address, its arguments, then the frame of its caller, which was
    /// called by the program, and the frame of the program, which nobody called.
    /// </summary>
    private void Thread(uint id, uint caller, uint handle, uint section, uint stub = 0x1000)
    {
        SyntheticMemory stack = new(Stack + ((uint)_threads.Count * Stride), 0x1000);
        uint sp = (uint)stack.Address + 0xE00;
        uint frame = sp + 0x40;
        uint outer = frame + 0x30;
        stack.U32(0xE04, caller).U32(0xE08, handle).U32(0xE0C, 0).U32(0xE10, 0);
        stack.U32(0xE40, outer).U32(0xE44, _app.CallBefore(0x1080)).U32(0xE48, section);
        stack.U32(0xE70, 0).U32(0xE74, 0);
        _threads.Add((id, stack, Ntdll.Base + stub + 0x15, sp, frame));
    }
}
