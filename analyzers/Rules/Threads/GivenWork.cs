using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>
/// Work that a library or .NET has given to the program's code on a thread: a handler, a job, a part of a parallel loop. Who gave it
/// continues when it has come to its end. What the pool, a timer or a host runs for the program is none: that may last.
/// </summary>
internal static class GivenWork
{
    private const string Threading = "System.Threading.";
    private const string Blocks = Threading + "Tasks.Dataflow.";

    /// <summary>
    /// The outermost of the program's frames, where others have called it; null where none is, or its sources are not known.
    /// </summary>
    public static FrameFacts? In(ThreadFacts thread)
    {
        IReadOnlyList<FrameFacts> frames = thread.Stack.Frames;
        int own = frames.Count - 1;
        while (own >= 0 && !(UserCode.IsManaged(frames[own]) && frames[own].Source is not null))
        {
            own--;
        }

        return own >= 0 && frames.Skip(own + 1).Any(IsOfGiver) ? frames[own] : null;
    }

    /// <summary>The same, or a library that the program has called has called it back: it waits for the end of that.</summary>
    public static bool IsIn(ThreadFacts thread)
        => In(thread) is not null
            || thread.Stack.Frames.Where(UserCode.IsManaged)
                .SkipWhile(frame => frame.Source is null)
                .SkipWhile(frame => frame.Source is not null)
                .Any(frame => frame.Source is not null);

    private static bool IsOfGiver(FrameFacts frame)
        => frame is { Kind: FrameKind.Managed, Method: { } method }
            && (!method.StartsWith(Threading, StringComparison.Ordinal) || method.StartsWith(Blocks, StringComparison.Ordinal))
            && !HostCalls.Runs(method);
}
