namespace HangTriage.Traces.Windows;

/// <summary>KWAIT_REASON and the states of threads, from the public headers of the driver kit.</summary>
internal static class WaitReasons
{
    /// <summary>KTHREAD_STATE of a thread that could run: Ready, Standby, DeferredReady.</summary>
    private const int Ready = 1;
    private const int Standby = 3;
    private const int DeferredReady = 7;

    private static readonly string[] s_names =
    [
        "Executive", "FreePage", "PageIn", "PoolAllocation", "DelayExecution", "Suspended", "UserRequest", "WrExecutive", "WrFreePage", "WrPageIn",
        "WrPoolAllocation", "WrDelayExecution", "WrSuspended", "WrUserRequest", "WrEventPair", "WrQueue", "WrLpcReceive", "WrLpcReply", "WrVirtualMemory", "WrPageOut",
        "WrRendezvous", "WrKeyedEvent", "WrTerminated", "WrProcessInSwap", "WrCpuRateControl", "WrCalloutStack", "WrKernel", "WrResource", "WrPushLock", "WrMutex",
        "WrQuantumEnd", "WrDispatchInt", "WrPreempted", "WrYieldExecution", "WrFastMutex", "WrGuardedMutex", "WrRundown", "WrAlertByThreadId", "WrDeferredPreempt", "WrPhysicalFault",
        "WrIoRing", "WrMdlCache", "WrRcu",
    ];

    public static string Name(int reason) => reason >= 0 && reason < s_names.Length ? s_names[reason] : "reason of an unknown number";

    public static bool IsReady(int state) => state is Ready or Standby or DeferredReady;
}
