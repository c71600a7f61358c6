using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The suspended async methods, and what can be said of who has what they wait for.</summary>
internal sealed class AsyncFlows(RuleContext context)
{
    private readonly Lazy<bool> _hasSources = new(() => HasSources(context));

    private OwnServer? _server;

    /// <summary>Empty where they are not known.</summary>
    public IReadOnlyList<FlowGroup> Groups { get; } = context.Managed?.Flows is { } flows && flows.TryGet(out FlowsFacts? known) ? known.Groups : [];

    /// <summary>Where the process itself takes connections: what waits for an answer from there ends as its own methods do.</summary>
    public OwnServer Server => _server ??= new OwnServer(context);

    /// <summary>
    /// The program's own code is suspended there, or awaits it. Its source lines tell, where any are known: the PDBs of libraries
    /// are seldom beside them, and the flows of a library that idles wait for promises of all kinds.
    /// </summary>
    public bool IsOfProgram(FlowGroup group)
        => group.Source is not null
            || !_hasSources.Value
            || Groups.Any(other => other.Source is not null && group.AwaitedBy.Contains(other.Method));

    /// <summary>
    /// A flow of a method that takes part in the wait is past it and does something that ends: it may hold the entry and give it back.
    /// </summary>
    public bool IsInOtherHands(FlowGroup waiting)
    {
        HashSet<string> methods = [waiting.Method, .. waiting.AwaitedBy];
        return Groups.Any(other => other != waiting && other.AwaitedBy.Append(other.Method).Any(methods.Contains) && Ends(other))
            || context.Threads.Any(thread => IsMoving(thread) && thread.Thread.Stack.Frames.Any(frame => frame.Method is { } method && methods.Contains(method)));
    }

    /// <summary>Something leads to what the flows wait for, and one of the same method, past the wait, does something that ends: they take turns.</summary>
    public bool IsInTurn(FlowGroup waiting)
        => waiting.Waits.Reach?.By is not (null or FlowRoot.Unknown)
            && Groups.Any(other => other != waiting && other.Method == waiting.Method && other.Await != waiting.Await && Ends(other));

    /// <summary>What the flows wait for that are past the wait, in a method that they call there: the flows at the end of that.</summary>
    public IReadOnlyList<FlowGroup> PastTheWait(FlowGroup waiting)
        =>
        [
            .. Groups.Where(other => other != waiting
                && other.Waits.Kind != FlowWaitKind.AsyncMethod
                && other.AwaitedBy.Contains(waiting.Method)
                && !Frameworks.IsOwn(other.Method)),
        ];

    // Who empties a queue is recorded nowhere: a program of which something runs or waits for a time may do it.
    public bool SomethingMoves()
        => FlowMoves()
            || context.Threads.Any(thread => IsMoving(thread) && thread.Thread.Stack.Frames.Any(UserCode.IsManaged));

    /// <summary>An async method of the program waits for a time, for input or for a worker of the pool.</summary>
    /// <param name="besidesPeriodic">One that waits for a periodic timer does not count.</param>
    public bool FlowMoves(bool besidesPeriodic = false)
        => Groups.Any(group => !Frameworks.IsOwn(group.Method) && EndsByItself(group.Waits) && !(besidesPeriodic && group.Waits.Kind == FlowWaitKind.Timer));

    private static bool HasSources(RuleContext context)
        => context.Flows.Groups.Any(group => group.Source is not null)
            || context.Threads.Any(thread => thread.Thread.Stack.Frames.Any(frame => frame is { Kind: FrameKind.Managed, Source: not null } && UserCode.IsManaged(frame)));

    // An answer of the process's own server ends as its handler does.
    private bool Ends(FlowGroup group) => EndsByItself(group.Waits) && !Server.IsPeerOf(group.Waits.Socket);

    private static bool EndsByItself(FlowWait wait)
        => wait.IsLimited() || wait.Kind is FlowWaitKind.Delay or FlowWaitKind.Timer or FlowWaitKind.Queued or FlowWaitKind.InputOutput;

    private static bool IsMoving(ThreadAssessment thread)
        => thread.State is ThreadActivity.Running or ThreadActivity.WaitsForIo || (thread.State == ThreadActivity.Sleeping && Timeouts.InCallOf(thread.Thread) != false);
}
