namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>The images of <see cref="RealCaseA"/> and the stacks that its threads have in them.</summary>
internal sealed class RealCaseAImages
{
    private const string App = "main";

    private readonly SyntheticProcess _process;
    private readonly SyntheticImage _app;
    private readonly SyntheticImage _kernelBase;
    private readonly SyntheticImage _kernel32;
    private readonly SyntheticImage _mklRt;
    private readonly SyntheticImage _mklCore;

    public RealCaseAImages(SyntheticProcess process)
    {
        _process = process;
        _app = process.Image(new SyntheticImage(@"C:\Program Files\Contoso\Model\model.exe", 0x0000_7FF6_1C40_0000)
            .Function("mainCRTStartup", 0x100, prolog: prolog => prolog.Alloc(0x28))
            .Function(App, 0x200, prolog: prolog => prolog.Push(Register.Rbx).Push(Register.Rsi).Push(Register.Rdi).Alloc(0x60)));
        Ntdll = process.Image(WindowsImages.Ntdll());
        _kernel32 = process.Image(WindowsImages.Kernel32());
        _kernelBase = process.Image(WindowsImages.KernelBase());
        _mklRt = process.Image(new SyntheticImage(@"C:\Program Files\Contoso\Model\mkl_rt.dll", 0x0000_7FFD_3E60_0000)
            .Function("mkl_free", 0x80, exported: true)
            .Function("mkl_malloc", 0x120, exported: true, prolog => prolog.Push(Register.Rbx).Push(Register.R12).Push(Register.R13).AllocLarge(0x440)));
        _mklCore = process.Image(new SyntheticImage(@"C:\Program Files\Contoso\Model\mkl_core.dll", 0x0000_7FFD_2F10_0000)
            .Function("mkl_serv_get_version", 0x80, exported: true)
            .Function("wait_for_others", 0xC0, prolog: prolog => prolog.Push(Register.Rbx).Push(Register.Rdi).Alloc(0x28))
            .Function("DllMain", 0x100, prolog: prolog => prolog.Push(Register.Rbx).Push(Register.Rsi).Alloc(0x38)));
        LoaderLock = Ntdll.ReserveData(SyntheticCriticalSection.Size);
        LoaderLockDebug = Ntdll.ReserveData(SyntheticLockList.DebugSize);
        LockListHead = Ntdll.ReserveData(0x10);
        PutSpinLoop();
    }

    public SyntheticImage Ntdll { get; }

    public ulong LoaderLock { get; }

    public ulong LoaderLockDebug { get; }

    public ulong LockListHead { get; }

    public void Idle(SyntheticThread thread, int index)
    {
        if (index % 4 == 3)
        {
            Start(thread.InFunction(Ntdll, "NtWaitForSingleObject").CalledFrom(_kernelBase, "WaitForSingleObjectEx").CalledFrom(_app, App));
            return;
        }

        thread.InFunction(Ntdll, "NtWaitForWorkViaWorkerFactory").CalledFrom(Ntdll, "TppWorkerThread");
        Start(thread);
    }

    public void SpinInDetach(SyntheticThread thread)
        => Detach(thread.InFunction(Ntdll, "NtYieldExecution").CalledFrom(_kernelBase, "SwitchToThread"));

    public void WaitInDetach(SyntheticThread thread)
        => Detach(thread.InFunction(Ntdll, "NtWaitForSingleObject").CalledFrom(_kernelBase, "WaitForSingleObjectEx"));

    public void WaitForLoadOwner(SyntheticThread thread)
        => LoadLibrary(thread
            .InFunction(Ntdll, "NtWaitForSingleObject")
            .CalledFrom(Ntdll, "LdrpDrainWorkQueue")
            .CalledFrom(Ntdll, "LdrpLoadDllInternal")
            .CalledFrom(Ntdll, "LdrpLoadDll"));

    /// <summary>The wait block lies on the waiter's stack, and the PEB's table leads to it.</summary>
    public void WaitForSection(SyntheticThread thread, ulong section)
    {
        const int WaitBlock = 0x30;
        ulong waitedFor = section + 8;
        LoadLibrary(thread
            .InFunction(Ntdll, "NtWaitForAlertByThreadId")
            .CalledFrom(Ntdll, "RtlpWaitOnAddressWithTimeout")
            .CalledFrom(Ntdll, "RtlpWaitOnAddress", null, frame => frame
                .Local(WaitBlock, waitedFor).Local(WaitBlock + 8, thread.Id).Set(Register.Rdi, waitedFor))
            .CalledFrom(Ntdll, "RtlpWaitOnCriticalSection", null, frame => frame.Set(Register.Rbx, section))
            .CalledFrom(Ntdll, "RtlpEnterCriticalSectionContended", null, frame => frame.Set(Register.Rdi, section))
            .CalledFrom(Ntdll, "RtlEnterCriticalSection", null, frame => frame.Set(Register.Rbx, section))
            .CalledFrom(Ntdll, "LdrpAcquireLoaderLock")
            .CalledFrom(Ntdll, "LdrpLoadDll"));
        ulong block = thread.ExpectedFrames[2].Sp + WaitBlock;
        _process.Peb.WaitOnAddressBucket((int)((waitedFor >> 5) & 0x7F), block);
    }

    private void Detach(SyntheticThread thread)
        => Start(thread
            .CalledFrom(_mklCore, "wait_for_others", 0x40)
            .CalledFrom(_mklCore, "DllMain")
            .CalledFrom(Ntdll, "LdrpCallInitRoutine")
            .CalledFrom(Ntdll, "LdrShutdownThread")
            .CalledFrom(Ntdll, "RtlExitUserThread"));

    private void LoadLibrary(SyntheticThread thread)
        => Start(thread
            .CalledFrom(Ntdll, "LdrLoadDll")
            .CalledFrom(_kernelBase, "LoadLibraryExW")
            .CalledFrom(_mklRt, "mkl_malloc")
            .CalledFrom(_app, App)
            .CalledFrom(_app, "mainCRTStartup"));

    private void Start(SyntheticThread thread)
        => thread.CalledFrom(_kernel32, "BaseThreadInitThunk").CalledFrom(Ntdll, "RtlUserThreadStart");

    // The loop around the call that returns to 0x40: mov eax, [rbx]; test eax, eax; je back to the call.
    private void PutSpinLoop() => _mklCore["wait_for_others"].Put(0x40, 0x8B, 0x03, 0x85, 0xC0, 0x74, 0xF5);
}
