using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>A call of the program's into a library in C that stays in a system call which waits for another process.</summary>
internal static class OutsideSystemCall
{
    // flock(2), and fcntl(2) with F_SETLKW, which is the only one of its commands that waits.
    private static readonly KnownCall s_fileLock = new("flock", CallMeaning.WaitsForOutside, "section 2 of the manual")
    {
        Outside = OutsideEnd.File,
        Awaits = OutsideWait.Answer,
        Title = "a lock of a file that another process, or another handle of this one, has",
    };

    // pthread_mutex_lock on a mutex of several processes, which .NET's named Mutex is on Linux.
    private static readonly KnownCall s_sharedMutex = new("futex", CallMeaning.WaitsForOutside, "section 2 of the manual, and the owner's id in the word")
    {
        Outside = OutsideEnd.File,
        Awaits = OutsideWait.Answer,
        Title = "a mutex that another process has",
    };

    // recv(2), and poll(2) without a limit: a client in C reads what the other side of its connection answers.
    private static readonly KnownCall s_network = new("recvfrom", CallMeaning.WaitsForOutside, "section 2 of the manual")
    {
        Outside = OutsideEnd.Server,
        Awaits = OutsideWait.Answer,
        Title = "an answer that code in C waits for on a connection",
    };

    private static readonly string[] s_receives = ["recvfrom", "recvmsg"];
    private static readonly string[] s_polls = ["poll", "ppoll", "select", "pselect6"];

    /// <summary>Null for a thread in no such call, and where no managed code has made it.</summary>
    public static OutsideCall? Of(RuleContext context, ThreadFacts thread)
        => CallOf(context, thread) is { } call && thread.Stack.Frames.FirstOrDefault(UserCode.IsManaged) is { } caller
            ? new OutsideCall(call, caller, caller, thread.Stack.Frames.TakeWhile(frame => frame != caller).Count())
            : null;

    private static KnownCall? CallOf(RuleContext context, ThreadFacts thread)
        => context.WaitsOf(thread.OsId).Any(wait => context.Find(wait.Lock)?.IsHeldOutside == true) ? s_sharedMutex
            : thread.SystemCall is not { } known || !known.TryGet(out SystemCallFacts? call) ? null
            : call.Name.Is(name => name is "flock" or "fcntl") ? s_fileLock
            : IsCalledInC(thread) && ReceivesForEver(call) ? s_network
            : null;

    private static bool ReceivesForEver(SystemCallFacts call)
        => call.Name.Is(name => s_receives.Contains(name) || (call.HasTimeout == false && s_polls.Contains(name)));

    // By a library of the program's: what .NET's own code reads has rows of its own.
    private static bool IsCalledInC(ThreadFacts thread)
        => thread.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Managed && !UserCode.IsStub(frame)) is { Method: { } method }
            && !Frameworks.IsOwn(method);
}
