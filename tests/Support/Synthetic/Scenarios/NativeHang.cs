namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>
/// A process of Windows whose threads wait for native locks. Every trace that such a wait leaves can be left out, so
/// that a test says from which one a reader has to conclude.
/// </summary>
public sealed class NativeHang
{
    private const int WaitBlockOffset = 0x30;
    private const int SrwBlockOffset = 0x40;
    private const int SleepOffset = 0x38;
    private const string App = "work";

    private readonly SyntheticImage _app;
    private readonly SyntheticImage _kernelBase;
    private readonly SyntheticImage _kernel32;
    private readonly List<(SyntheticMemory Memory, ulong Debug, ulong Section)> _listed = [];

    public NativeHang(uint build = 22631)
    {
        Process = new SyntheticProcess(system: new SyntheticSystem { Build = build });
        _app = Process.Image(new SyntheticImage(@"C:\app\app.exe", 0x0000_7FF6_1C40_0000)
            .Function(App, 0x200, prolog: prolog => prolog.Push(Register.Rbx).Push(Register.Rsi).Alloc(0x60)));
        Ntdll = Process.Image(WindowsImages.Ntdll());
        _kernel32 = Process.Image(WindowsImages.Kernel32());
        _kernelBase = Process.Image(WindowsImages.KernelBase());
        LoaderLock = Ntdll.ReserveData(SyntheticCriticalSection.Size);
        // As in ntdll, an empty list lies before the head.
        ulong empty = Ntdll.ReserveData(0x10);
        Ntdll.Data.U64(Ntdll.Data.OffsetOf(empty), empty).U64(Ntdll.Data.OffsetOf(empty) + 8, empty);
        ListHead = Ntdll.ReserveData(0x10);
        Heap = Process.Allocate(0x4000);
    }

    public SyntheticProcess Process { get; }

    public SyntheticImage Ntdll { get; }

    public SyntheticMemory Heap { get; }

    public ulong LoaderLock { get; }

    public ulong ListHead { get; }

    public SyntheticPeb Peb => Process.Peb;

    /// <summary>Puts a section on the heap.</summary>
    /// <param name="slot">Its place there, from 0 to 63.</param>
    /// <param name="section">Its fields.</param>
    public ulong Section(int slot, SyntheticCriticalSection section)
    {
        ulong address = Heap.Address + ((ulong)slot * 0x40);
        section.WriteTo(Heap, address);
        return address;
    }

    /// <summary>A section that is held and counts so many waiters, as Windows codes them.</summary>
    public ulong Held(int slot, uint owner, int waiters)
        => Section(slot, new SyntheticCriticalSection { LockCount = -2 - (4 * waiters), RecursionCount = 1, OwningThread = owner, SpinCount = 0x020007D0 });

    /// <summary>A section that is in the list of the process.</summary>
    /// <param name="slot">Its place on the heap.</param>
    /// <param name="section">Its fields but for the debug record.</param>
    public ulong Listed(int slot, SyntheticCriticalSection section)
    {
        ulong debug = DebugOf(slot);
        ulong address = Section(slot, section with { DebugInfo = debug });
        _listed.Add((Heap, debug, address));
        return address;
    }

    /// <summary>Where the debug record of a listed section lies; its links are 0x10 further on.</summary>
    public ulong DebugOf(int slot) => Heap.Address + 0x1000 + ((ulong)slot * 0x40);

    /// <summary>A section of ntdll's own that is in the list, with its debug record in ntdll's data.</summary>
    public ulong ListedInNtdll(SyntheticCriticalSection section)
    {
        ulong address = Ntdll.ReserveData(SyntheticCriticalSection.Size);
        ulong debug = Ntdll.ReserveData(SyntheticLockList.DebugSize);
        (section with { DebugInfo = debug }).WriteTo(Ntdll.Data, address);
        _listed.Add((Ntdll.Data, debug, address));
        return address;
    }

    /// <summary>Writes the loader lock and the list. Call it once, after the last listed section.</summary>
    /// <param name="section">The loader lock's fields but for the debug record; free by default.</param>
    /// <param name="isListed">The loader lock is in the list; else its links are empty, as in Windows 10 and 11.</param>
    public NativeHang WriteLoaderLock(SyntheticCriticalSection? section = null, bool isListed = true)
    {
        ulong debug = DebugOf(63);
        ((section ?? new SyntheticCriticalSection()) with { DebugInfo = debug }).WriteTo(Ntdll.Data, LoaderLock);
        Heap.U64(Heap.OffsetOf(debug) + 8, LoaderLock);
        Peb.LoaderLock(LoaderLock);
        SyntheticLockList list = new(Ntdll.Data, ListHead);
        if (isListed)
        {
            list.Add(Heap, debug, LoaderLock);
        }

        _listed.ForEach(listed => list.Add(listed.Memory, listed.Debug, listed.Section));
        list.Write();
        return this;
    }

    public SyntheticThread Idle(uint id)
        => Start(Process.Thread(id).InFunction(Ntdll, "NtWaitForSingleObject").CalledFrom(_kernelBase, "WaitForSingleObjectEx").CalledFrom(_app, App));

    /// <summary>A thread in RtlEnterCriticalSection.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="section">What it waits for.</param>
    /// <param name="traces">What leads from the thread to the section.</param>
    /// <param name="others">Further words on its stack, below the function that entered the section.</param>
    public SyntheticThread Enter(uint id, ulong section, WaitTraces traces, params ulong[] others)
    {
        bool inRegister = traces.HasFlag(WaitTraces.Register);
        bool hasBlock = traces.HasFlag(WaitTraces.WaitBlock) || traces.HasFlag(WaitTraces.Table);
        SyntheticThread thread = Start(Process.Thread(id)
            .InFunction(Ntdll, "NtWaitForAlertByThreadId")
            .CalledFrom(Ntdll, "RtlpWaitOnAddress", null, frame =>
            {
                if (hasBlock)
                {
                    frame.Local(WaitBlockOffset, section + 8).Local(WaitBlockOffset + 8, id);
                }
            })
            .CalledFrom(Ntdll, "RtlpEnterCriticalSectionContended", null, frame =>
            {
                for (int i = 0; i < others.Length; i++)
                {
                    frame.Local(0x20 + (8 * i), others[i]);
                }

                if (traces.HasFlag(WaitTraces.StackWord))
                {
                    frame.Local(0x20 + (8 * others.Length), section);
                }
            })
            .CalledFrom(Ntdll, "RtlEnterCriticalSection", null, frame => frame.Set(Register.Rbx, inRegister ? section : 0))
            .CalledFrom(_app, App, null, frame => frame.Set(Register.Rbx, 1)));
        if (traces.HasFlag(WaitTraces.Table))
        {
            Peb.WaitOnAddressBucket(BucketOf(section + 8), WaitBlockOf(thread));
        }

        return thread;
    }

    /// <summary>A thread in RtlAcquireSRWLockExclusive, its wait block on its stack and the lock in a register.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="address">The lock.</param>
    /// <param name="back">The block of the waiter before it; 0 for the first.</param>
    public SyntheticThread AcquireSrw(uint id, ulong address, ulong back)
        => Start(Process.Thread(id)
            .InFunction(Ntdll, "NtWaitForAlertByThreadId")
            .CalledFrom(Ntdll, "RtlAcquireSRWLockExclusive", null, frame => frame
                .Set(Register.Rsi, address).Local(SrwBlockOffset, back).Local(SrwBlockOffset + 0x18, id).Local(SrwBlockOffset + 0x24, 1))
            .CalledFrom(_app, App));

    /// <summary>Where the wait block of a thread from <see cref="AcquireSrw"/> lies; aligned to 16 bytes, as the lock needs it.</summary>
    public static ulong SrwBlockOf(SyntheticThread thread) => thread.ExpectedFrames[1].Sp + SrwBlockOffset;

    /// <summary>The slots into which a thread of Windows 11 24H2 puts the SRW locks that it takes.</summary>
    public void SrwSlots(SyntheticThread thread, params ulong[] slots)
    {
        SyntheticMemory memory = Process.Allocate(0x40);
        for (int i = 0; i < slots.Length; i++)
        {
            memory.U64(i * 8, slots[i]);
        }

        thread.Teb.Memory.U64(0x1850, memory.Address);
    }

    /// <summary>A thread in WaitForSingleObject.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="handle">What it waits for.</param>
    /// <param name="inArgument">The handle is still in rcx and the call's number in rax; else a preserved register has it.</param>
    /// <param name="other">What another preserved register has.</param>
    /// <param name="stale">What rcx has where it is no argument any more.</param>
    public SyntheticThread WaitForObject(uint id, ulong handle, bool inArgument, ulong other = 0, ulong stale = 0)
        => Start(Process.Thread(id)
            .InFunction(Ntdll, "NtWaitForSingleObject", null, frame =>
            {
                if (inArgument)
                {
                    frame.Set(Register.Rax, 4).Set(Register.Rcx, handle);
                }
                else
                {
                    frame.Set(Register.Rcx, stale);
                }
            })
            .CalledFrom(_kernelBase, "WaitForSingleObjectEx", null, frame => frame
                .Set(Register.Rbx, inArgument ? 1 : handle).Set(Register.Rsi, other).Set(Register.Rdi, 0).Set(Register.R14, 0))
            .CalledFrom(_app, App));

    /// <summary>A thread that has sent a message to a port and waits for the answer, with the port still in rcx.</summary>
    public SyntheticThread WaitForReply(uint id, ulong port)
        => Start(Process.Thread(id)
            .InFunction(Ntdll, "NtAlpcSendWaitReceivePort", null, frame => frame.Set(Register.Rax, 0x8C).Set(Register.Rcx, port))
            .CalledFrom(_app, App));

    /// <summary>A thread in WaitForMultipleObjects, with the call's number and first two arguments still in their registers.</summary>
    public SyntheticThread WaitForObjects(uint id, params ulong[] handles)
    {
        SyntheticMemory list = Process.Allocate(handles.Length * 8);
        for (int i = 0; i < handles.Length; i++)
        {
            list.U64(i * 8, handles[i]);
        }

        return Start(Process.Thread(id)
            .InFunction(Ntdll, "NtWaitForMultipleObjects", null, frame => frame
                .Set(Register.Rax, 0x5B).Set(Register.Rcx, (ulong)handles.Length).Set(Register.Rdx, list.Address))
            .CalledFrom(_app, App));
    }

    /// <summary>A thread in Sleep, with the call's number and second argument still in their registers.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="units">What the argument points to: units of 100 ns, negative from now on.</param>
    /// <param name="number">What rax has.</param>
    /// <param name="elsewhere">The argument points to memory that is not the thread's stack.</param>
    public SyntheticThread Sleep(uint id, long units, uint number = 0x34, bool elsewhere = false)
    {
        SyntheticFrame? call = null;
        SyntheticThread thread = Start(Process.Thread(id)
            .InFunction(Ntdll, "NtDelayExecution", null, frame => call = frame.Set(Register.Rax, number).Set(Register.Rcx, 0))
            .CalledFrom(_kernelBase, "SleepEx", null, frame => frame.Local(SleepOffset, unchecked((ulong)units)))
            .CalledFrom(_app, App));
        call!.Set(Register.Rdx, elsewhere ? Heap.Address : thread.ExpectedFrames[1].Sp + SleepOffset);
        return thread;
    }

    /// <summary>Where the wait block of a thread from <see cref="Enter"/> lies.</summary>
    public static ulong WaitBlockOf(SyntheticThread thread) => thread.ExpectedFrames[1].Sp + WaitBlockOffset;

    public static int BucketOf(ulong address) => (int)((address >> 5) & 0x7F);

    private SyntheticThread Start(SyntheticThread thread)
        => thread.CalledFrom(_kernel32, "BaseThreadInitThunk").CalledFrom(Ntdll, "RtlUserThreadStart");
}
