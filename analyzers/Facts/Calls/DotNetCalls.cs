namespace HangTriage.Facts.Calls;

/// <summary>The methods of .NET that a stack can end in, and those of the runtime that say what a thread is about.</summary>
public static class DotNetCalls
{
    private const string Threads = "dotnet/runtime: Thread.cs and Thread.CoreCLR.cs";
    private const string Monitors = "dotnet/runtime: Monitor.CoreCLR.cs, Lock.cs";
    private const string Handles = "dotnet/runtime: WaitHandle.cs and WaitHandle.CoreCLR.cs, WaitSubsystem.Unix.cs";
    private const string Pool = "dotnet/runtime: LowLevelLifoSemaphore*.cs, ThreadPoolWorkQueue.cs";
    private const string Exit = "dotnet/runtime: Environment.CoreCLR.cs, finalizerthread.cpp; tried on .NET 8, 9 and 10";
    private const string FirstManaged = ".NET 10 and later";
    private const string LastNative = ".NET 9 and earlier";

    public static CallTable Table { get; } = new(
    [
        .. Of(DotNetTypes.Thread, CallMeaning.Yields, Threads, "Yield", "YieldInternal", "UninterruptibleSleep0", "SpinWait", "SpinWaitInternal"),
        .. Of(DotNetTypes.SpinWait, CallMeaning.Yields, "dotnet/runtime: SpinWait.cs", "SpinOnce", "SpinOnceCore"),
        .. Of(DotNetTypes.Thread, CallMeaning.Sleeps, Threads, "Sleep", "SleepInternal"),
        .. Of(DotNetTypes.Thread, CallMeaning.WaitsForObject, Threads, "Join", "JoinInternal").Select(row => row with { Wait = WaitKind.Exit }),
        Enters("Enter", CallEnd.Never),
        Enters("ReliableEnter", CallEnd.Never) with { Versions = LastNative },
        Enters("Enter_Slowpath", CallEnd.Never) with { Versions = FirstManaged },
        Enters("ReliableEnterTimeout", CallEnd.Unknown) with { Versions = LastNative },
        Enters("TryEnter_Slowpath", CallEnd.Unknown) with { Versions = FirstManaged },
        // Without a timeout it does not wait: a thread in it that is not blocked works.
        Enters("TryEnter", CallEnd.Unknown) with { Meaning = CallMeaning.TriesLock },
        new("TryEnterSlow", CallMeaning.EntersLock, Monitors) { Type = DotNetTypes.Lock, Wait = WaitKind.Acquire, Versions = ".NET 9 and later" },
        .. Of(DotNetTypes.Monitor, CallMeaning.WaitsForObject, Monitors, "Wait", "ObjWait").Select(row => row with { Wait = WaitKind.Pulse }),
        .. Of(
            DotNetTypes.WaitHandle, CallMeaning.WaitsForObject, Handles,
            "WaitOne", "WaitOneNoCheck", "WaitOneCore", "WaitMultiple", "WaitMultipleIgnoringSyncContext"),
        .. Of("System.Threading.WaitSubsystem", CallMeaning.WaitsForObject, Handles, "Wait"),
        .. Of("System.Threading.LowLevelLifoSemaphore", CallMeaning.IdlesInPool, Pool, "Wait", "WaitForSignal", "WaitNative",
            "WaitForSignalOrSpin"),
        .. Of("System.Threading.ThreadPoolWorkQueue", CallMeaning.RunsWorkItem, Pool, "Dispatch"),
        .. Of("System.GC", CallMeaning.WaitsForFinalizers, "dotnet/runtime: GC.CoreCLR.cs", "WaitForPendingFinalizers", "_WaitForPendingFinalizers"),
        // _Exit in .NET 8 and 9: a call into the runtime.
        .. Of("System.Environment", CallMeaning.WaitsForExitHandlers, Exit, "Exit", "_Exit"),
        .. Of("System.Environment", CallMeaning.FailsFast, Exit, "FailFast"),
        new("PosixSignalRegistration", CallMeaning.HandlesSignal, "dotnet/runtime: PosixSignalRegistration.Unix.cs and .Windows.cs")
        {
            Type = "System.Runtime.InteropServices", IsPrefix = true,
        },
        // InitClass and InitClassSlow.
        new("InitClass", CallMeaning.RunsTypeInitializer, "dotnet/runtime: InitHelpers.cs")
        {
            Type = "System.Runtime.CompilerServices.InitHelpers", IsPrefix = true, Versions = FirstManaged,
        },
    ]);

    /// <summary>The row of a method, with or without its signature; null for others.</summary>
    public static KnownCall? Find(string? method)
        => method is null ? null : Table.Find(CallNames.WithoutStub(CallNames.WithoutSignature(method)));

    /// <summary>The row of a frame's method, or of the runtime's marker of it (.NET 9 and earlier); null for others.</summary>
    public static KnownCall? Find(FrameFacts frame)
    {
        ArgumentNullException.ThrowIfNull(frame);
        return frame.Kind is FrameKind.Managed or FrameKind.Runtime ? Find(frame.Method) : null;
    }

    private static IEnumerable<KnownCall> Of(string type, CallMeaning meaning, string source, params string[] names)
        => names.Select(name => new KnownCall(name, meaning, source) { Type = type, Wait = type == DotNetTypes.WaitHandle ? WaitKind.Signal : null });

    private static KnownCall Enters(string name, CallEnd end)
        => new(name, CallMeaning.EntersLock, Monitors) { Type = DotNetTypes.Monitor, Wait = WaitKind.Acquire, End = end };
}
