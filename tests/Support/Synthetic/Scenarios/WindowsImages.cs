namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>
/// The system's images with the functions that hangs go through. What Windows does not export is not exported here;
/// it lies behind an export that an address alone would be taken for.
/// </summary>
public static class WindowsImages
{
    public static SyntheticImage Ntdll(ulong imageBase = 0x0000_7FFD_6A2D_0000)
    {
        SyntheticImage image = new(@"C:\Windows\System32\ntdll.dll", imageBase) { FileVersion = new Version(10, 0, 14393, 206) };
        image.SystemCall("NtWaitForSingleObject", 0x04);
        image.SystemCall("NtDelayExecution", 0x34);
        image.SystemCall("NtYieldExecution", 0x46);
        image.SystemCall("NtWaitForMultipleObjects", 0x5B);
        image.SystemCall("NtAlpcSendWaitReceivePort", 0x8C);
        image.SystemCall("NtWaitForAlertByThreadId", 0x1A5);
        image.SystemCall("NtWaitForWorkViaWorkerFactory", 0x1A9);
        AddThreads(image);
        AddLoader(image);
        AddLocks(image);
        return image.Pdb("ntdll.pdb", new Guid("1EFB9BB53DB84CE9BF5A5AD4D9DB5C8F"), 1);
    }

    public static SyntheticImage KernelBase(ulong imageBase = 0x0000_7FFD_6730_0000)
        => new SyntheticImage(@"C:\Windows\System32\KERNELBASE.dll", imageBase) { FileVersion = new Version(10, 0, 14393, 206) }
            .Function("SwitchToThread", 0x40, exported: true)
            .Function("WaitForSingleObjectEx", 0x120, exported: true, prolog => prolog
                .Push(Register.Rbx).Push(Register.Rsi).Push(Register.Rdi).Alloc(0x80).Save(Register.R14, 0xC0))
            .Function("SleepEx", 0xA0, exported: true, prolog => prolog.Push(Register.Rbx).Alloc(0x60))
            .Function("LoadLibraryExW", 0x180, exported: true, prolog => prolog
                .Push(Register.Rbp).Push(Register.Rbx).Push(Register.R12).Alloc(0x90).SetFrame(Register.Rbp, 0x40).Version2());

    public static SyntheticImage Kernel32(ulong imageBase = 0x0000_7FFD_6890_0000)
        => new SyntheticImage(@"C:\Windows\System32\kernel32.dll", imageBase) { FileVersion = new Version(10, 0, 14393, 206) }
            .Function("BaseThreadInitThunk", 0x40, exported: true)
            .Forwarder("AcquireSRWLockExclusive", "NTDLL.RtlAcquireSRWLockExclusive");

    private static void AddThreads(SyntheticImage image) => image
        .Function("RtlUserThreadStart", 0x60, exported: true, prolog => prolog.Alloc(0x48).WithHandler().NoReturn())
        .Function("RtlExitUserThread", 0x60, exported: true, prolog => prolog.Push(Register.Rbx).Alloc(0x20))
        .Function("TppWorkerThread", 0x400, exported: false, prolog => prolog
            .Push(Register.Rbp).Push(Register.Rbx).Push(Register.Rsi).Push(Register.Rdi).Push(Register.R14).Push(Register.R15)
            .AllocLarge(0x2A8).SetFrame(Register.Rbp, 0x80));

    private static void AddLoader(SyntheticImage image) => image
        .Function("LdrShutdownThread", 0x2C0, exported: true, prolog => prolog
            .Push(Register.Rbx).Push(Register.Rsi).Push(Register.Rdi).Push(Register.R12).Push(Register.R14).Alloc(0x50))
        .Function("LdrpCallInitRoutine", 0xA0, exported: false, prolog => prolog
            .Push(Register.Rdi).Alloc(0x30).Save(Register.Rbx, 0x40).Save(Register.Rsi, 0x48))
        .Function("LdrLoadDll", 0x100, exported: true, prolog => prolog
            .Push(Register.Rbx).Push(Register.Rsi).Push(Register.R13).Alloc(0x70))
        .Function("LdrpLoadDll", 0x120, exported: false, prolog => prolog
            .Push(Register.Rbp).Push(Register.Rdi).AllocLarge(0x198).SetFrame(Register.Rbp, 0xF0))
        .Function("LdrpLoadDllInternal", 0x200, exported: false, prolog => prolog
            .Push(Register.Rbx).Push(Register.R15).Alloc(0x48).SaveXmm(6, 0x30))
        .Function("LdrpDrainWorkQueue", 0x140, exported: false, prolog => prolog
            .Push(Register.Rsi).Push(Register.Rdi).Push(Register.R14).Alloc(0x20))
        .Function("LdrpAcquireLoaderLock", 0x80, exported: false, prolog => prolog.Push(Register.Rbx).Alloc(0x20));

    private static void AddLocks(SyntheticImage image) => image
        .Function("RtlEnterCriticalSection", 0x80, exported: true, prolog => prolog.Push(Register.Rbx).Alloc(0x20))
        .Function("RtlpEnterCriticalSectionContended", 0x180, exported: false, prolog => prolog
            .Push(Register.Rbx).Push(Register.Rdi).Push(Register.R12).Alloc(0x60))
        .Function("RtlpWaitOnCriticalSection", 0x140, exported: false, prolog => prolog
            .Push(Register.Rbp).Push(Register.Rbx).Push(Register.Rsi).Alloc(0x50))
        .Function("RtlpWaitOnAddress", 0x100, exported: false, prolog => prolog.Push(Register.Rbx).Push(Register.Rdi).Alloc(0x78))
        .Function("RtlAcquireSRWLockExclusive", 0x180, exported: true, prolog => prolog.Push(Register.Rbx).Push(Register.Rsi).Alloc(0x80))
        .Function("RtlpWaitOnAddressWithTimeout", 0x100, exported: false, prolog => prolog.Push(Register.Rbx).Alloc(0x40));
}
