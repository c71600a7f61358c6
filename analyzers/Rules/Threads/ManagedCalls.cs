using System.Collections.Frozen;
using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>What the .NET methods that a stack can end in mean.</summary>
internal static class ManagedCalls
{
    private static readonly FrozenDictionary<string, ThreadActivity> s_methods = new Dictionary<string, ThreadActivity>
    {
        ["System.Threading.Thread.Yield"] = ThreadActivity.Yielding,
        ["System.Threading.Thread.YieldInternal"] = ThreadActivity.Yielding,
        ["System.Threading.Thread.UninterruptibleSleep0"] = ThreadActivity.Yielding,
        ["System.Threading.Thread.SpinWait"] = ThreadActivity.Yielding,
        ["System.Threading.Thread.SpinWaitInternal"] = ThreadActivity.Yielding,
        ["System.Threading.SpinWait.SpinOnce"] = ThreadActivity.Yielding,
        ["System.Threading.SpinWait.SpinOnceCore"] = ThreadActivity.Yielding,
        ["System.Threading.Thread.Sleep"] = ThreadActivity.Sleeping,
        ["System.Threading.Thread.SleepInternal"] = ThreadActivity.Sleeping,
        ["System.Threading.Monitor.Enter"] = ThreadActivity.WaitsForLock,
        ["System.Threading.Monitor.Enter_Slowpath"] = ThreadActivity.WaitsForLock,
        ["System.Threading.Monitor.ReliableEnter"] = ThreadActivity.WaitsForLock,
        ["System.Threading.Monitor.TryEnter_Slowpath"] = ThreadActivity.WaitsForLock,
        ["System.Threading.Lock.TryEnterSlow"] = ThreadActivity.WaitsForLock,
        ["System.Threading.Monitor.Wait"] = ThreadActivity.WaitsForObject,
        ["System.Threading.Monitor.ObjWait"] = ThreadActivity.WaitsForObject,
        ["System.Threading.WaitHandle.WaitOneNoCheck"] = ThreadActivity.WaitsForObject,
        ["System.Threading.WaitHandle.WaitOneCore"] = ThreadActivity.WaitsForObject,
        ["System.Threading.WaitHandle.WaitMultiple"] = ThreadActivity.WaitsForObject,
        ["System.Threading.WaitHandle.WaitMultipleIgnoringSyncContext"] = ThreadActivity.WaitsForObject,
        ["System.Threading.Thread.Join"] = ThreadActivity.WaitsForObject,
        ["System.Threading.Thread.JoinInternal"] = ThreadActivity.WaitsForObject,
        ["System.Threading.WaitSubsystem.Wait"] = ThreadActivity.WaitsForObject,
        ["System.Threading.LowLevelLifoSemaphore.WaitForSignal"] = ThreadActivity.IdlePoolWorker,
        ["System.Threading.LowLevelLifoSemaphore.WaitNative"] = ThreadActivity.IdlePoolWorker,
        ["System.Threading.LowLevelLifoSemaphore.WaitForSignalOrSpin"] = ThreadActivity.IdlePoolWorker,
    }.ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>The state that a method stands for, or the runtime's marker of it (.NET 9 and earlier); null for others.</summary>
    public static ThreadActivity? StateOf(FrameFacts frame)
        => frame.Kind is FrameKind.Managed or FrameKind.Runtime && frame.Method is { } method
            && s_methods.TryGetValue(WithoutSignature(method), out ThreadActivity state)
                ? state
                : null;

    /// <summary>A yield, or a helper of the framework that goes on spinning as long as its caller wants.</summary>
    public static bool IsSpin(FrameFacts frame)
        => StateOf(frame) == ThreadActivity.Yielding || Starts(frame, "System.Threading.SpinWait.") || Starts(frame, "System.Threading.SpinLock.");

    public static bool IsThreadingPrimitive(FrameFacts frame) => Starts(frame, "System.Threading.");

    private static bool Starts(FrameFacts frame, string prefix) => frame.Method?.StartsWith(prefix, StringComparison.Ordinal) == true;

    private static string WithoutSignature(string method)
        => method.IndexOf('(', StringComparison.Ordinal) is > 0 and int end ? method[..end] : method;
}
