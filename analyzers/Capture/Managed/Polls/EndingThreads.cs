using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Finds threads that wait on their way to an end: from the wait out to the start of the thread they are in no loop but such as end by themselves.</summary>
internal sealed class EndingThreads(IlModules modules, ThreadFrames walked)
{
    private const string Threading = "System.Threading.";

    // What of .NET's own stands between a thread's start and the program's code without going round.
    private static readonly HashSet<string> s_straight =
    [
        Threading + "Thread",
        Threading + "Thread+StartHelper",
        Threading + "ThreadHelper",
        Threading + "ExecutionContext",
        Threading + "Tasks.Task",
        Threading + "Tasks.ThreadPoolTaskScheduler",
        Threading + "Tasks.ThreadPoolTaskScheduler+<>c",
        "System.Runtime.CompilerServices.AsyncMethodBuilderCore",
        "System.Runtime.CompilerServices.AsyncTaskMethodBuilder",
    ];

    private readonly Dictionary<(ulong Method, int? At, int? Except), bool> _known = [];

    /// <param name="thread">The thread.</param>
    /// <param name="poll">The loop in which it looks and pauses, which is its wait.</param>
    public bool Has(ClrThread thread, Poll poll)
    {
        ClrStackFrame[] frames = [.. walked.Of(thread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod)];
        int own = Array.FindIndex(frames, frame => frame.Method?.Type?.Name is { } type && !Frameworks.IsOwn(type));
        return own > 0
            && frames[0].Method?.Type?.Name?.StartsWith(Threading, StringComparison.Ordinal) == true
            && Enumerable.Range(own, frames.Length - own).All(index => EndsByItself(frames[index], index == own ? poll : null));
    }

    private bool EndsByItself(ClrStackFrame frame, Poll? poll)
    {
        if (frame.Method?.Type?.Name is { } type && Frameworks.IsOwn(type))
        {
            return s_straight.Contains(type);
        }

        if (frame.Method is not { } method || modules.Of(method) is not { } module || module.Body(method.MetadataToken) is not { Count: > 0 } body)
        {
            return false;
        }

        int? at = SourceLines.IlOffset(method, frame.InstructionPointer - 1);
        int? except = poll is { IsByFields: true } && poll.Method == method.MetadataToken && at is { } place ? IlLoops.Around(body, place)?.Start : null;
        if (!_known.TryGetValue((method.MethodDesc, at, except), out bool ends))
        {
            ends = at is { } known ? IlBounds.EndsByItself(module, body, known, except) : !IlLoops.WaitLoops(body).Any();
            _known.Add((method.MethodDesc, at, except), ends);
        }

        return ends;
    }
}
