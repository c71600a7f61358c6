using System.Collections.Frozen;
using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>What the Windows system calls and library functions that a stack can end in mean. Names are exports, so they are there without symbols.</summary>
internal static class NativeCalls
{
    private static readonly FrozenDictionary<string, ThreadActivity> s_systemCalls = new Dictionary<string, ThreadActivity>
    {
        ["NtYieldExecution"] = ThreadActivity.Yielding,
        // Calls that return at once: whoever is in one is at work.
        ["NtSetEvent"] = ThreadActivity.Running,
        ["NtResetEvent"] = ThreadActivity.Running,
        ["NtReleaseSemaphore"] = ThreadActivity.Running,
        ["NtReleaseMutant"] = ThreadActivity.Running,
        ["NtAlertThreadByThreadId"] = ThreadActivity.Running,
        ["NtClose"] = ThreadActivity.Running,
        ["NtQueryInformationThread"] = ThreadActivity.Running,
        ["NtQueryInformationProcess"] = ThreadActivity.Running,
        ["NtQuerySystemInformation"] = ThreadActivity.Running,
        ["NtQueryPerformanceCounter"] = ThreadActivity.Running,
        ["NtAllocateVirtualMemory"] = ThreadActivity.Running,
        ["NtFreeVirtualMemory"] = ThreadActivity.Running,
        ["NtProtectVirtualMemory"] = ThreadActivity.Running,
        ["NtDelayExecution"] = ThreadActivity.Sleeping,
        ["NtWaitForSingleObject"] = ThreadActivity.WaitsForObject,
        ["NtWaitForMultipleObjects"] = ThreadActivity.WaitsForObject,
        ["NtWaitForMultipleObjects32"] = ThreadActivity.WaitsForObject,
        ["NtSignalAndWaitForSingleObject"] = ThreadActivity.WaitsForObject,
        ["NtWaitForAlertByThreadId"] = ThreadActivity.WaitsForObject,
        ["NtWaitForKeyedEvent"] = ThreadActivity.WaitsForObject,
        ["NtAlpcSendWaitReceivePort"] = ThreadActivity.WaitsForObject,
        ["NtReplyWaitReceivePort"] = ThreadActivity.WaitsForObject,
        ["NtReplyWaitReceivePortEx"] = ThreadActivity.WaitsForObject,
        ["NtRequestWaitReplyPort"] = ThreadActivity.WaitsForObject,
        ["NtWaitForWorkViaWorkerFactory"] = ThreadActivity.IdlePoolWorker,
        ["NtRemoveIoCompletion"] = ThreadActivity.WaitsForIo,
        ["NtRemoveIoCompletionEx"] = ThreadActivity.WaitsForIo,
        ["NtReadFile"] = ThreadActivity.WaitsForIo,
        ["NtWriteFile"] = ThreadActivity.WaitsForIo,
        ["NtDeviceIoControlFile"] = ThreadActivity.WaitsForIo,
        ["NtFsControlFile"] = ThreadActivity.WaitsForIo,
        ["NtFlushBuffersFile"] = ThreadActivity.WaitsForIo,
        ["NtUserMessageCall"] = ThreadActivity.WaitsForAnswer,
        ["NtUserGetMessage"] = ThreadActivity.WaitsForMessage,
        ["NtUserWaitMessage"] = ThreadActivity.WaitsForMessage,
        ["NtUserMsgWaitForMultipleObjectsEx"] = ThreadActivity.WaitsForMessage,
        ["NtUserRealMsgWaitForMultipleObjectsEx"] = ThreadActivity.WaitsForMessage,
    }.ToFrozenDictionary(StringComparer.Ordinal);

    private static readonly FrozenSet<string> s_lockEntries = new[]
    {
        "RtlEnterCriticalSection", "RtlAcquireSRWLockExclusive", "RtlAcquireSRWLockShared",
        "RtlAcquireResourceExclusive", "RtlAcquireResourceShared", "RtlpWaitOnCriticalSection",
        "RtlRunOnceBeginInitialize", "RtlRunOnceExecuteOnce",
    }.ToFrozenSet(StringComparer.Ordinal);

    // Where the loader is entered from outside. A wait below one of these, with ntdll frames alone between, is the loader's own.
    private static readonly FrozenSet<string> s_loaderEntries = new[]
    {
        "LdrLoadDll", "LdrUnloadDll", "LdrInitializeThunk", "LdrShutdownThread", "LdrShutdownProcess",
        "LdrGetDllHandle", "LdrGetDllHandleEx", "LdrGetDllHandleByName", "LdrGetDllHandleByMapping",
        "LdrGetProcedureAddress", "LdrGetProcedureAddressEx", "LdrGetProcedureAddressForCaller",
        "LdrAddRefDll", "LdrLockLoaderLock", "LdrDisableThreadCalloutsForDll", "LdrEnumerateLoadedModules",
    }.ToFrozenSet(StringComparer.Ordinal);

    /// <summary>The state that a system call stands for; null for other functions.</summary>
    public static ThreadActivity? StateOf(FrameFacts frame)
        => frame.Kind == FrameKind.Native && frame.Method is { } method ? StateOf(method) : null;

    /// <summary>The state that a system call of that name stands for; null for other names.</summary>
    public static ThreadActivity? StateOf(string systemCall)
        => s_systemCalls.TryGetValue(Canonical(systemCall), out ThreadActivity state) ? state : null;

    /// <summary>
    /// The function of the system's layers on top of the stack that gives the time slice away; null where there is none.
    /// A thread that does so again and again is now and then caught in it just before or behind the system call.
    /// </summary>
    public static FrameFacts? YieldOf(IReadOnlyList<FrameFacts> frames)
        => frames.TakeWhile(SystemLayers.Contain).FirstOrDefault(frame => frame.Method is "SwitchToThread");

    /// <summary>COM's wait of a single-threaded apartment: for handles, and messages are answered meanwhile.</summary>
    public static bool WaitsWhilePumping(FrameFacts frame) => frame.Method is "CoWaitForMultipleHandles" or "CoWaitForMultipleObjects";

    public static bool EntersLock(FrameFacts frame) => IsNtdll(frame) && frame.Method is { } method && s_lockEntries.Contains(method);

    public static bool EntersLoader(FrameFacts frame) => IsNtdll(frame) && frame.Method is { } method && s_loaderEntries.Contains(method);

    public static bool IsNtdll(FrameFacts frame) => IsModule(frame, "ntdll.dll");

    /// <summary>What lies between a managed call and the system call that it ends in: the system's layers and the runtime.</summary>
    public static bool IsWayOut(FrameFacts frame)
        => frame.Kind == FrameKind.Native && (SystemLayers.Contain(frame) || IsModule(frame, "coreclr.dll") || IsModule(frame, "clr.dll"));

    // ntdll exports each system call twice at one address.
    private static string Canonical(string method)
        => method.StartsWith("Zw", StringComparison.Ordinal) ? string.Concat("Nt", method.AsSpan(2)) : method;

    private static bool IsModule(FrameFacts frame, string name) => string.Equals(frame.Module, name, StringComparison.OrdinalIgnoreCase);
}
