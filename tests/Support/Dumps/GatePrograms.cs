namespace HangTriage.Tests.Support.Dumps;

/// <summary>
/// The programs that the gate starts on the older frameworks, as warm code and on Windows. Of the newest .NET on Linux it starts all; made
/// for each of the others, too, they took half of the gate's preparation, and most were never started.
/// </summary>
public static class GatePrograms
{
    // Those whose facts come from other layouts there: monitors, locks and what a thread is recorded to wait for, thread statics,
    // tasks and channels, exit handlers, static constructors, tables.
    private static readonly string[] s_samplesOnNet8 =
    [
        "BlockedExit", "BlockedFinalizer", "ConsumersWaiting", "DictionarySelfLoop", "IdlePool", "JoinCycle", "LostAsyncLock", "LostSignal",
        "MixedLockCycle", "MonitorDeadlock", "NeverCompletedTask", "PoolStarvation", "StaticConstructorCycle", "UnloadHeldUp",
    ];

    // .NET 9 differs from .NET 8 in fewer of them.
    private static readonly string[] s_samplesOnNet9 =
    [
        "BlockedExit", "DictionarySelfLoop", "MixedLockCycle", "NeverCompletedTask", "PoolStarvation",
    ];

    // What single tests start besides.
    private static readonly string[] s_othersOnNet8 =
    [
        "Ages", "AsyncFlows", "BetweenCalls", "ClockWatch", "FailedGivers", "GenericStubs", "Handlers", "HashTables", "Healthy",
        "HostedFeed", "LockWaits", "LostSpinLock", "Movers", "OutsideWaits", "PoolGates", "PrimitiveWaits", "Requests", "SelfWaits",
        "SemaphoreHolders", "ServerHandles", "TaskResultDeadlock", "TaskWaits",
    ];

    private static readonly string[] s_othersOnNet9 = ["LostSpinLock", "MonitorDeadlock", "OutsideWaits"];

    private static readonly string[] s_othersOnWindows = ["LivePrograms", "MonitorDeadlock", "NeverCompletedTask"];

    /// <summary>
    /// The samples of which the gate judges a minidump of the newest .NET: one of each kind of wait, and those in which
    /// the system itself has a part.
    /// </summary>
    public static IReadOnlyList<string> Minidumps { get; } =
    [
        "BlockedExit", "BlockedFinalizer", "CallbackWait", "Healthy", "HostShutdown", "LostAsyncLock", "LostSpinLock", "MixedLockCycle",
        "OwnContextSend", "PoolStarvation", "StaticConstructorCycle", "UnloadHeldUp",
    ];

    /// <summary>The samples whose stacks are compared with those of the debugger's engine: one of each kind of call into the runtime.</summary>
    public static IReadOnlyList<string> Stacks { get; } =
    [
        "BlockedFinalizer", "BusyDictionary", "Healthy", "HostDrain", "MixedLockCycle", "QueryUnderLock", "WatcherWait",
    ];

    /// <summary>The samples that are judged as warm code.</summary>
    public static IReadOnlyList<string> Warm { get; } = ["BusyDictionary", "OrphanedMonitor", "PoolStarvation"];

    /// <summary>What has to be made for Windows.</summary>
    public static IReadOnlyList<string> OnWindows { get; } = [.. Minidumps.Union(Stacks).Union(s_othersOnWindows)];

    /// <summary>Whether the gate judges a core of the sample on that framework.</summary>
    public static bool Judges(string sample, TargetFramework framework) => framework switch
    {
        TargetFramework.Net8 => s_samplesOnNet8.Contains(sample),
        TargetFramework.Net9 => s_samplesOnNet9.Contains(sample),
        _ => true,
    };

    /// <summary>What has to be made for the gate; none where that is all.</summary>
    public static IReadOnlyList<string> On(TargetFramework framework) => framework switch
    {
        TargetFramework.Net8 => [.. s_samplesOnNet8, .. s_othersOnNet8],
        TargetFramework.Net9 => [.. s_samplesOnNet9, .. s_othersOnNet9],
        _ => [],
    };
}
