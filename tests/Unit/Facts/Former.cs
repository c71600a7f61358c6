using HangTriage.Facts.Calls;

namespace HangTriage.Tests.Unit.Facts;

/// <summary>The lists of calls that Capture and Rules had each for itself, as they were.</summary>
public static class Former
{
    public static TheoryData<string, CallMeaning, string> Lists => new()
    {
        { "Windows", CallMeaning.Yields, "NtYieldExecution" },
        {
            "Windows", CallMeaning.ReturnsAtOnce,
            "NtSetEvent NtResetEvent NtReleaseSemaphore NtReleaseMutant NtAlertThreadByThreadId NtClose NtQueryInformationThread " +
            "NtQueryInformationProcess NtQuerySystemInformation NtQueryPerformanceCounter NtAllocateVirtualMemory " +
            "NtFreeVirtualMemory NtProtectVirtualMemory"
        },
        { "Windows", CallMeaning.Sleeps, "NtDelayExecution" },
        {
            "Windows", CallMeaning.WaitsForObject,
            "NtWaitForSingleObject NtWaitForMultipleObjects NtWaitForMultipleObjects32 NtSignalAndWaitForSingleObject " +
            "NtWaitForAlertByThreadId NtWaitForKeyedEvent NtAlpcSendWaitReceivePort NtReplyWaitReceivePort " +
            "NtReplyWaitReceivePortEx NtRequestWaitReplyPort"
        },
        { "Windows", CallMeaning.IdlesInPool, "NtWaitForWorkViaWorkerFactory" },
        {
            "Windows", CallMeaning.WaitsForIo,
            "NtRemoveIoCompletion NtRemoveIoCompletionEx NtReadFile NtWriteFile NtDeviceIoControlFile NtFsControlFile " +
            "NtFlushBuffersFile"
        },
        { "Windows", CallMeaning.WaitsForAnswer, "NtUserMessageCall" },
        {
            "Windows", CallMeaning.WaitsForMessage,
            "NtUserGetMessage NtUserWaitMessage NtUserMsgWaitForMultipleObjectsEx NtUserRealMsgWaitForMultipleObjectsEx"
        },
        {
            "Windows", CallMeaning.EntersLock,
            "RtlEnterCriticalSection RtlAcquireSRWLockExclusive RtlAcquireSRWLockShared RtlAcquireResourceExclusive " +
            "RtlAcquireResourceShared RtlpWaitOnCriticalSection RtlRunOnceBeginInitialize RtlRunOnceExecuteOnce"
        },
        {
            "Windows", CallMeaning.EntersLoader,
            "LdrLoadDll LdrUnloadDll LdrInitializeThunk LdrShutdownThread LdrShutdownProcess LdrGetDllHandle LdrGetDllHandleEx " +
            "LdrGetDllHandleByName LdrGetDllHandleByMapping LdrGetProcedureAddress LdrGetProcedureAddressEx " +
            "LdrGetProcedureAddressForCaller LdrAddRefDll LdrLockLoaderLock LdrDisableThreadCalloutsForDll " +
            "LdrEnumerateLoadedModules"
        },
        {
            "Windows", CallMeaning.EntersLock,
            "RtlEnterCriticalSection RtlpEnterCriticalSectionContended RtlpWaitOnCriticalSection RtlpWaitForCriticalSection " +
            "RtlAcquireSRWLockExclusive RtlAcquireSRWLockShared RtlpAcquireSRWLockExclusiveContended " +
            "RtlpAcquireSRWLockSharedContended"
        },
        {
            "Windows", CallMeaning.WaitsForObject,
            "NtWaitForAlertByThreadId NtWaitForSingleObject NtWaitForMultipleObjects NtWaitForKeyedEvent"
        },
        {
            "Windows", CallMeaning.CallsRpc,
            "NdrClientCall NdrClientCall2 NdrClientCall3 NdrClientCall4 Ndr64AsyncClientCall NdrAsyncClientCall NdrSendReceive " +
            "NdrNsSendReceive I_RpcSendReceive I_RpcReceive I_RpcSend I_RpcGetBuffer I_RpcNegotiateTransferSyntax"
        },
        {
            "Windows", CallMeaning.CallsCom,
            "NdrProxySendReceive ThreadSendReceive MTAThreadWaitForCall SendReceive2 SendReceive CoCreateInstance " +
            "CoCreateInstanceEx CoGetClassObject CoUnmarshalInterface"
        },
        { "Linux", CallMeaning.Yields, "sched_yield" },
        { "Linux", CallMeaning.Sleeps, "nanosleep clock_nanosleep" },
        {
            "Linux", CallMeaning.WaitsForObject,
            "futex futex_waitv pause rt_sigsuspend rt_sigtimedwait semop semtimedop wait4 waitid flock fcntl"
        },
        {
            "Linux", CallMeaning.WaitsForIo,
            "read pread64 readv preadv write pwrite64 writev pwritev openat fsync fdatasync poll ppoll select pselect6 " +
            "epoll_wait epoll_pwait epoll_pwait2 connect accept accept4 sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg msgsnd " +
            "msgrcv io_getevents io_uring_enter"
        },
        {
            "DotNet", CallMeaning.Yields,
            "System.Threading.Thread.Yield System.Threading.Thread.YieldInternal System.Threading.Thread.UninterruptibleSleep0 " +
            "System.Threading.Thread.SpinWait System.Threading.Thread.SpinWaitInternal System.Threading.SpinWait.SpinOnce " +
            "System.Threading.SpinWait.SpinOnceCore"
        },
        { "DotNet", CallMeaning.Sleeps, "System.Threading.Thread.Sleep System.Threading.Thread.SleepInternal" },
        {
            "DotNet", CallMeaning.EntersLock,
            "System.Threading.Monitor.Enter System.Threading.Monitor.Enter_Slowpath System.Threading.Monitor.ReliableEnter " +
            "System.Threading.Monitor.TryEnter_Slowpath System.Threading.Lock.TryEnterSlow"
        },
        {
            "DotNet", CallMeaning.WaitsForObject,
            "System.Threading.Monitor.Wait System.Threading.Monitor.ObjWait System.Threading.WaitHandle.WaitOneNoCheck " +
            "System.Threading.WaitHandle.WaitOneCore System.Threading.WaitHandle.WaitMultiple " +
            "System.Threading.WaitHandle.WaitMultipleIgnoringSyncContext System.Threading.Thread.Join " +
            "System.Threading.Thread.JoinInternal System.Threading.WaitSubsystem.Wait"
        },
        {
            "DotNet", CallMeaning.IdlesInPool,
            "System.Threading.LowLevelLifoSemaphore.WaitForSignal System.Threading.LowLevelLifoSemaphore.WaitNative " +
            "System.Threading.LowLevelLifoSemaphore.WaitForSignalOrSpin"
        },
        {
            "DotNet", CallMeaning.ChangesTable,
            "Add AddIfNotPresent AddOrGetLocation AddRange Clear EnsureCapacity ExceptWith IncreaseCapacity Initialize Insert " +
            "IntersectWith Remove RemoveWhere Resize SetCapacity SymmetricExceptWith TrimExcess TryAdd TryInsert UnionWith " +
            "set_Item GetValueRefOrAddDefault"
        },
        {
            "DotNet", CallMeaning.RunsMessageLoop,
            "System.Windows.Forms.Application+ThreadContext.RunMessageLoop System.Windows.Forms.Application.RunMessageLoop " +
            "System.Windows.Threading.Dispatcher.PushFrame Avalonia.Threading.Dispatcher.MainLoop " +
            "Avalonia.Threading.Dispatcher.PushFrame Avalonia.Threading.DispatcherFrame.Run"
        },
        {
            "DotNet", CallMeaning.RunsTask,
            "ExecuteWithThreadLocal InnerInvoke ExecuteEntryUnsafe ExecuteEntry ExecuteFromThreadPool"
        },
        {
            "DotNet", CallMeaning.BlocksOnTask,
            "System.Threading.Tasks.Task.SpinThenBlockingWait System.Threading.Tasks.Task.WaitAllBlockingCore"
        },
        {
            "DotNet", CallMeaning.WaitsForObject,
            "System.Threading.WaitHandle.WaitOneNoCheck System.Threading.WaitHandle.WaitOneCore " +
            "System.Threading.WaitHandle.WaitOne System.Threading.WaitHandle.WaitMultiple " +
            "System.Threading.WaitHandle.WaitMultipleIgnoringSyncContext"
        },
        {
            "DotNet", CallMeaning.EntersLock,
            "System.Threading.Monitor.Enter System.Threading.Monitor.ReliableEnter System.Threading.Monitor.ReliableEnterTimeout " +
            "System.Threading.Monitor.Enter_Slowpath System.Threading.Monitor.TryEnter_Slowpath"
        },
    };
}
