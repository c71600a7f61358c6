namespace HangTriage.Facts.Calls;

/// <summary>
/// The system calls of Windows that a stack can end in. Names are exports of ntdll and win32u (user32 before Windows 10), so
/// they are there without symbols.
/// </summary>
public static class WindowsCalls
{
    /// <summary>The only sleep. Its second argument points to the time: negative for a span, in units of 100 ns.</summary>
    public const string Sleep = "NtDelayExecution";

    public const string WaitForOne = "NtWaitForSingleObject";
    public const string WaitForSeveral = "NtWaitForMultipleObjects";

    private const string Prototypes = "winternl.h and the WDK's ntifs.h, which document it or the function on top of it";
    private const string Headers = "the public phnt headers of ntdll; in the documented function on top of it";
    private const string Numbers = Prototypes + "; its number by the public tables of every x64 build since Windows 10";
    private const string WindowManager = "win32u's export below the documented function of user32";
    private const string Port = "ALPC Port";
    private const string File = "File";

    public static CallTable Table { get; } = new(
    [
        new("NtYieldExecution", CallMeaning.Yields, Numbers) { Number = 0x46 },
        new(Sleep, CallMeaning.Sleeps, Numbers) { Number = 0x34, TimeoutArgument = 2 },
        .. Each(
            CallMeaning.ReturnsAtOnce, Headers,
            "NtSetEvent", "NtResetEvent", "NtReleaseSemaphore", "NtReleaseMutant", "NtAlertThreadByThreadId", "NtClose",
            "NtQueryInformationThread", "NtQueryInformationProcess", "NtQuerySystemInformation", "NtQueryPerformanceCounter",
            "NtAllocateVirtualMemory", "NtFreeVirtualMemory", "NtProtectVirtualMemory"),
        new(WaitForOne, CallMeaning.WaitsForObject, Numbers) { Number = 0x04, TimeoutArgument = 3 },
        new(WaitForSeveral, CallMeaning.WaitsForObject, Numbers) { Number = 0x5B, TimeoutArgument = 5 },
        new("NtWaitForMultipleObjects32", CallMeaning.WaitsForObject, Headers) { TimeoutArgument = 5 },
        new("NtSignalAndWaitForSingleObject", CallMeaning.WaitsForObject, Headers) { TimeoutArgument = 4 },
        new("NtWaitForAlertByThreadId", CallMeaning.WaitsForObject, Headers) { TimeoutArgument = 2, Versions = "Windows 8 and later" },
        new("NtWaitForKeyedEvent", CallMeaning.WaitsForObject, Headers) { TimeoutArgument = 4 },
        new("NtAlpcSendWaitReceivePort", CallMeaning.WaitsForObject, Headers) { HandleType = Port, Wait = WaitKind.Reply, TimeoutArgument = 8 },
        new("NtRequestWaitReplyPort", CallMeaning.WaitsForObject, Headers) { HandleType = Port, Wait = WaitKind.Reply, End = CallEnd.Never },
        new("NtReplyWaitReceivePort", CallMeaning.WaitsForObject, Headers) { End = CallEnd.Never },
        new("NtReplyWaitReceivePortEx", CallMeaning.WaitsForObject, Headers) { TimeoutArgument = 5 },
        new("NtWaitForWorkViaWorkerFactory", CallMeaning.IdlesInPool, Headers),
        new("NtRemoveIoCompletion", CallMeaning.WaitsForIo, Numbers) { Number = 0x09, TimeoutArgument = 5 },
        new("NtRemoveIoCompletionEx", CallMeaning.WaitsForIo, Headers) { TimeoutArgument = 5 },
        new("NtReadFile", CallMeaning.WaitsForIo, Numbers) { Number = 0x06, HandleType = File, Wait = WaitKind.Reply },
        new("NtWriteFile", CallMeaning.WaitsForIo, Numbers) { Number = 0x08, HandleType = File, Wait = WaitKind.Reply },
        new("NtDeviceIoControlFile", CallMeaning.WaitsForIo, Numbers) { Number = 0x07, HandleType = File, Wait = WaitKind.Reply },
        new("NtFsControlFile", CallMeaning.WaitsForIo, Numbers) { Number = 0x39, HandleType = File, Wait = WaitKind.Reply },
        new("NtFlushBuffersFile", CallMeaning.WaitsForIo, Prototypes),
        new("NtUserMessageCall", CallMeaning.WaitsForAnswer, WindowManager),
        .. Each(
            CallMeaning.WaitsForMessage, WindowManager,
            "NtUserGetMessage", "NtUserWaitMessage", "NtUserMsgWaitForMultipleObjectsEx", "NtUserRealMsgWaitForMultipleObjectsEx"),
    ]);

    /// <summary>The row of a system call, by either of its names; null where there is none.</summary>
    public static KnownCall? Find(string? name) => name is null ? null : Table.Find(CallNames.Canonical(name));

    private static IEnumerable<KnownCall> Each(CallMeaning meaning, string source, params string[] names)
        => names.Select(name => new KnownCall(name, meaning, source));
}
