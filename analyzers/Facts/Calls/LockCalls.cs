namespace HangTriage.Facts.Calls;

/// <summary>The functions of ntdll that take a lock and wait until they have it.</summary>
public static class LockCalls
{
    private const string Documented = "documented under its name in kernel32 (EnterCriticalSection, AcquireSRWLockExclusive, InitOnceExecuteOnce)";
    private const string Symbols = "Microsoft's public symbols of ntdll: the waiting part of the function with the public name";

    public static CallTable Table { get; } = new(
    [
        Entry("RtlEnterCriticalSection", Documented, LockKind.CriticalSection),
        Entry("RtlpEnterCriticalSectionContended", Symbols, LockKind.CriticalSection),
        Entry("RtlpWaitOnCriticalSection", Symbols, LockKind.CriticalSection),
        Entry("RtlpWaitForCriticalSection", "Wine's export: the same part there", LockKind.CriticalSection),
        Entry("RtlAcquireSRWLockExclusive", Documented, LockKind.SrwLock),
        Entry("RtlAcquireSRWLockShared", Documented, LockKind.SrwLock),
        Entry("RtlpAcquireSRWLockExclusiveContended", Symbols, LockKind.SrwLock),
        Entry("RtlpAcquireSRWLockSharedContended", Symbols, LockKind.SrwLock),
        // The memory of an RTL_RESOURCE or RTL_RUN_ONCE is not read.
        Entry("RtlAcquireResourceExclusive", "the public phnt headers of ntdll", null),
        Entry("RtlAcquireResourceShared", "the public phnt headers of ntdll", null),
        Entry("RtlRunOnceBeginInitialize", Documented, null),
        Entry("RtlRunOnceExecuteOnce", Documented, null),
    ]);

    /// <summary>The row of the function that a frame is in; null for other functions, and outside ntdll.</summary>
    public static KnownCall? Find(FrameFacts frame) => WindowsModules.IsNtdll(frame) ? Table.Find(frame.Method) : null;

    private static KnownCall Entry(string name, string source, LockKind? kind)
        => new(name, CallMeaning.EntersLock, source) { Module = WindowsModules.Ntdll, Lock = kind, Wait = WaitKind.Acquire, End = CallEnd.Never };
}
