using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Reads managed frames by what is known of .NET.</summary>
internal static class ManagedCalls
{
    /// <summary>The state that a method stands for, or the runtime's marker of it (.NET 9 and earlier); null for others.</summary>
    public static ThreadActivity? StateOf(FrameFacts frame) => CallStates.Of(DotNetCalls.Find(frame));

    /// <summary>A yield, or a helper of the framework that continues spinning as long as its caller wants.</summary>
    public static bool IsSpin(FrameFacts frame) => StateOf(frame) == ThreadActivity.Yielding || DotNetTypes.IsSpinner(frame.Method);

    public static bool IsThreadingPrimitive(FrameFacts frame) => DotNetTypes.IsThreading(frame.Method);
}
