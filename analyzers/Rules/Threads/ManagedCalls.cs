using System.Collections.Frozen;
using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>What the .NET methods that a stack can end in mean.</summary>
internal static class ManagedCalls
{
    private static readonly FrozenDictionary<string, ThreadState> s_methods = new Dictionary<string, ThreadState>
    {
        ["System.Threading.Thread.Yield"] = ThreadState.Yielding,
        ["System.Threading.Thread.YieldInternal"] = ThreadState.Yielding,
        ["System.Threading.Thread.UninterruptibleSleep0"] = ThreadState.Yielding,
        ["System.Threading.Thread.SpinWait"] = ThreadState.Yielding,
        ["System.Threading.Thread.SpinWaitInternal"] = ThreadState.Yielding,
        ["System.Threading.SpinWait.SpinOnce"] = ThreadState.Yielding,
        ["System.Threading.SpinWait.SpinOnceCore"] = ThreadState.Yielding,
        ["System.Threading.Thread.Sleep"] = ThreadState.Sleeping,
        ["System.Threading.Thread.SleepInternal"] = ThreadState.Sleeping,
        ["System.Threading.Monitor.Enter"] = ThreadState.WaitsForLock,
        ["System.Threading.Monitor.Enter_Slowpath"] = ThreadState.WaitsForLock,
        ["System.Threading.Monitor.ReliableEnter"] = ThreadState.WaitsForLock,
        ["System.Threading.Monitor.TryEnter_Slowpath"] = ThreadState.WaitsForLock,
        ["System.Threading.Lock.TryEnterSlow"] = ThreadState.WaitsForLock,
        ["System.Threading.Monitor.Wait"] = ThreadState.WaitsForObject,
        ["System.Threading.Monitor.ObjWait"] = ThreadState.WaitsForObject,
        ["System.Threading.WaitHandle.WaitOneNoCheck"] = ThreadState.WaitsForObject,
        ["System.Threading.WaitHandle.WaitOneCore"] = ThreadState.WaitsForObject,
        ["System.Threading.WaitHandle.WaitMultiple"] = ThreadState.WaitsForObject,
        ["System.Threading.WaitHandle.WaitMultipleIgnoringSyncContext"] = ThreadState.WaitsForObject,
        ["System.Threading.Thread.Join"] = ThreadState.WaitsForObject,
        ["System.Threading.Thread.JoinInternal"] = ThreadState.WaitsForObject,
        ["System.Threading.WaitSubsystem.Wait"] = ThreadState.WaitsForObject,
        ["System.Threading.LowLevelLifoSemaphore.WaitForSignal"] = ThreadState.IdlePoolWorker,
        ["System.Threading.LowLevelLifoSemaphore.WaitNative"] = ThreadState.IdlePoolWorker,
        ["System.Threading.LowLevelLifoSemaphore.WaitForSignalOrSpin"] = ThreadState.IdlePoolWorker,
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>The state that a method stands for; null for other methods.</summary>
    public static ThreadState? StateOf(FrameFacts frame)
        => frame.Kind == FrameKind.Managed && frame.Method is { } method
            && s_methods.TryGetValue(WithoutSignature(method), out ThreadState state)
                ? state
                : null;

    private static string WithoutSignature(string method)
        => method.IndexOf('(', StringComparison.Ordinal) is > 0 and int end ? method[..end] : method;
}
