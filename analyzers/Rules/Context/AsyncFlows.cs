using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The suspended async methods, and what can be said of who has what they wait for.</summary>
internal sealed class AsyncFlows(RuleContext context)
{
    private const int MostEnds = 64;

    private readonly Lazy<bool> _hasSources = new(() => HasSources(context));

    private readonly Lazy<HashSet<string>> _ofLibraries = new(() =>
        [.. context.Flows.Groups.DistinctBy(group => group.Method).Where(context.Flows.IsOfLibrary).Select(group => group.Method)]);

    private readonly Lazy<Dictionary<Address, FlowGroup>> _byFlow = new(() => ByFlow(context.Flows.Groups));

    private OwnServer? _server;

    /// <summary>Methods that were suspended in the middle, and nobody can continue.</summary>
    public IReadOnlyList<string> Abandoned { get; } =
        context.Managed?.Flows is { } read && read.TryGet(out FlowsFacts? all) ? all.Abandoned ?? [] : [];

    /// <summary>Empty where they are not known.</summary>
    public IReadOnlyList<FlowGroup> Groups { get; } = context.Managed?.Flows is { } flows && flows.TryGet(out FlowsFacts? known) ? known.Groups : [];

    /// <summary>The group of an async method's box; null for what is none, and for most of a group of many.</summary>
    public FlowGroup? Of(Address? flow) => flow is { } box ? _byFlow.Value.GetValueOrDefault(box) : null;

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

    /// <summary>Neither .NET's own code nor the program's: its source lines are not known, and those of others are.</summary>
    public bool IsOfLibrary(FlowGroup group) => group.Source is null && _hasSources.Value && !Frameworks.IsOfBaseLibrary(group.Method);

    /// <summary>The same of a method by its name; false for one that is not suspended anywhere.</summary>
    public bool IsOfLibrary(string method) => _ofLibraries.Value.Contains(method);

    /// <summary>Main awaits it, or blocks until it ends, or a thread of the user interface does.</summary>
    public bool IsForMain(FlowGroup group)
        => group.AwaitedBy.Any(UserCode.IsMain)
            || context.Graph.ThreadsBehind(WaitNode.OfTask(group.Sample)).Any(node => ImportantThreads.Contain(context, node.Thread!.Value));

    /// <summary>
    /// Main, through another method, waits for a promise once, in no method that lasts by design. A cancellation token is no reason to wait
    /// long for it, unless somebody can ask the program to end.
    /// </summary>
    public bool IsQuestion(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.Task or FlowWaitKind.Custom or FlowWaitKind.WhenAny, IsInLoop: false }
            && (OutsideCall.IsOfClient(group.Method) || IsOfLibrary(group) || group.AwaitedBy.Any(method => !UserCode.IsMain(method)))
            && IsForMain(group)
            && (!group.Waits.EndsByToken || context.Managed?.HandlesSignals?.Is(handles => !handles) == true)
            && !group.AwaitedBy.Prepend(group.Method).Any(method => LastingMethods.Contain(method) && (OutsideCall.IsOfClient(method) || IsOfLibrary(method)))
            && (group.Waits is not { Kind: FlowWaitKind.WhenAny, Address: { } any } || (!Frameworks.IsOwn(group.Method) && IsOpenOfAll(any)));

    /// <summary>
    /// A promise that nobody can keep any more, and that a method of the program waits for on behalf of another: a token ends the wait only when
    /// all is to stop. A method that waits so by itself may do so until then, and so may Main.
    /// </summary>
    public bool IsGivenUp(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits: { Kind: FlowWaitKind.Task, Reach: { By: null } } }
            && IsOfProgram(group)
            && !IsForMain(group)
            && group.AwaitedBy.Append(group.Method).Count(method => !Frameworks.IsOwn(method) && !UserCode.IsMain(method) && !IsOfLibrary(method)) > 1;

    /// <summary>The method, or one that awaits it, has a source of tokens that a timer is to cancel: what it asks somebody outside for mostly takes that token.</summary>
    public bool HasLimitOfOwn(FlowGroup group)
        => group.CancelsByTimer || Groups.Any(other => other is { State: FlowState.Suspended, CancelsByTimer: true } && group.AwaitedBy.Contains(other.Method));

    /// <summary>
    /// A flow of a method that takes part in the wait is past it and does something that ends, or waits for what something that runs, or
    /// will run, may bring, itself or in a method that it awaits: it may hold the entry and give it back. Or somebody surely gives one, in
    /// another method.
    /// </summary>
    public bool IsInOtherHands(FlowGroup waiting)
        => (waiting.Waits.Reach?.Signaller is not null && Workers.CanEnd(context, waiting.Waits.Reach))
            || IsInOtherHands(waiting, [.. new[] { waiting.Waits.Address }.OfType<Address>()]);

    /// <summary>
    /// A thread has an entry, or is in the method that waits, and leads to what is waited for: it is past the wait, or comes to it.
    /// Whatever it does there, that nobody holds an entry is not seen.
    /// </summary>
    public bool MayBeHeldByThread(FlowGroup waiting)
        => waiting.Waits.HeldBy is not null
            || (waiting.Waits.Reach is { By: FlowRoot.Thread, Thread: { } id }
                && context.Find(id) is { } thread
                && MethodText.Short(waiting.Method) is var name
                && thread.Thread.Stack.Frames.Any(frame => frame.Method is { } method && MethodText.Short(method) == name));

    /// <summary>It is in other hands for no more than that Main awaits somebody who moves as well as those that wait.</summary>
    public bool IsInHandsOfMainAlone(FlowGroup waiting)
        => waiting.AwaitedBy.Any(UserCode.IsMain)
            && !IsInOtherHands(waiting with { AwaitedBy = [.. waiting.AwaitedBy.Where(method => !UserCode.IsMain(method))] });

    private bool IsInOtherHands(FlowGroup waiting, HashSet<Address> locks)
    {
        HashSet<string> methods = [waiting.Method, .. waiting.AwaitedBy];
        return Groups.Any(other => other != waiting && other.AwaitedBy.Append(other.Method).Any(methods.Contains) && Ends(other))
            || PastTheWait(waiting).Any(holder => MayContinue(holder, locks))
            || (HolderOf(waiting) is { } known && Ends(known))
            || context.Threads.Any(thread => IsMoving(thread) && thread.Thread.Stack.Frames.Any(frame => frame.Method is { } method && methods.Contains(method)));
    }

    /// <summary>
    /// Something leads to what the flows wait for, and one of the same method, past the wait, does something that ends: they take turns.
    /// Or it is a promise of a library, and a method of the same type waits for a time.
    /// </summary>
    public bool IsInTurn(FlowGroup waiting)
        => waiting.Waits.Reach?.By is not (null or FlowRoot.Unknown)
            && Groups.Any(other => other != waiting && (IsPast(other, waiting) || (IsOfLibrary(waiting) && DelaysType(other, waiting.Method))));

    private bool IsPast(FlowGroup other, FlowGroup waiting)
        => Ends(other) && (other.Method == waiting.Method ? other.Await != waiting.Await : other.AwaitedBy.Contains(waiting.Method));

    private static bool DelaysType(FlowGroup other, string method)
        => other.Waits.Kind == FlowWaitKind.Delay && other.AwaitedBy.Any(caller => TypeOf(caller) == TypeOf(method));

    private static string TypeOf(string method) => method[..Math.Max(0, method.LastIndexOf('.'))];

    /// <summary>The flows of the same method that are past the wait.</summary>
    public IEnumerable<FlowGroup> HoldersOf(FlowGroup waiting)
        => Groups.Where(other => other.Method == waiting.Method && other.Await > waiting.Await && other.State == FlowState.Suspended);

    // A lock comes from who holds it, whatever leads to its semaphore. One that was asked about before is in a circle, or not given back.
    private bool MayContinue(FlowGroup holder, HashSet<Address> locks)
        => holder.Waits is { Address: { } gate, Entries.Left: 0 } && holder.IsForLock()
            ? locks.Add(gate) && IsInOtherHands(holder, locks)
            : Workers.MayEnd(context, holder.Waits.Reach) || IsAboutToEnd(holder);

    // What it waits for is queued, or ends by itself.
    private bool IsAboutToEnd(FlowGroup holder)
        => !context.Case.IsSaidToHang
            && holder.Waits.Address is { } task
            && context.FindTask(task) is not null
            && context.Fates.Of(WaitNode.OfTask(task)) == Fate.Progresses;

    /// <summary>Where the flow waits that is known to have an entry of the semaphore; null where none is.</summary>
    public FlowGroup? HolderOf(FlowGroup waiting)
        => waiting.Waits.Holder?.End is { } end ? Groups.FirstOrDefault(other => other.Sample == end && other != waiting) : null;

    /// <summary>What the flows wait for that are past the wait, in a method that they call there: the flows at the end of that.</summary>
    public IReadOnlyList<FlowGroup> PastTheWait(FlowGroup waiting)
        =>
        [
            .. HolderOf(waiting) is { } known ? [known] : Array.Empty<FlowGroup>(),
            .. HoldersOf(waiting),
            .. Groups.Where(other => other != waiting
                && other.Waits.Kind != FlowWaitKind.AsyncMethod
                && other.AwaitedBy.Contains(waiting.Method)
                && !Frameworks.IsOwn(other.Method)
                && !IsBeforeTheWait(other, waiting)),
        ];

    // The method is seen to await it, and only at awaits that come before the wait.
    private bool IsBeforeTheWait(FlowGroup end, FlowGroup waiting)
    {
        string callee = end.AwaitedBy.TakeWhile(caller => caller != waiting.Method).LastOrDefault() ?? end.Method;
        FlowGroup[] callers = [.. Groups.Where(group => group.Method == waiting.Method
            && group.Waits.Kind == FlowWaitKind.AsyncMethod && group.Waits.Label == callee)];
        return callers.Length > 0 && callers.All(caller => caller.Await < waiting.Await);
    }

    // Who empties a queue is not recorded: a program of which something runs or waits for a time may do it.
    public bool SomethingMoves()
        => FlowMoves()
            || context.Threads.Any(thread => IsMoving(thread) && thread.Thread.Stack.Frames.Any(UserCode.IsManaged));

    /// <summary>An async method of the program waits for a time, for input or for a worker of the pool.</summary>
    /// <param name="besidesPeriodic">One that waits for a periodic timer does not count.</param>
    public bool FlowMoves(bool besidesPeriodic = false)
        => Groups.Any(group => !Frameworks.IsOwn(group.Method) && EndsByItself(group.Waits) && !(besidesPeriodic && group.Waits.Kind == FlowWaitKind.Timer));

    // Of the tasks of which one is enough, none is known to end: what a socket brings, or a timer of hours, is what others wait for.
    private bool IsOpenOfAll(Address any)
        => context.Fates.Ends(any, MostEnds) is { Count: > 0 } ends
            && !ends.Any(end => end.Need switch
            {
                { Kind: TaskNeedKind.Timer, SetFor: { } time } => WaitLimit.Ends(time),
                { Kind: TaskNeedKind.PoolQueue } => true,
                { Thread: { } thread } => context.Fates.Of(WaitNode.Of(thread)) == Fate.Progresses,
                _ => false,
            });

    private static bool HasSources(RuleContext context)
        => context.Flows.Groups.Any(group => group.Source is not null)
            || context.Threads.Any(thread => thread.Thread.Stack.Frames.Any(frame => frame is { Kind: FrameKind.Managed, Source: not null } && UserCode.IsManaged(frame)));

    // An answer of the process's own server ends as its handler does.
    private bool Ends(FlowGroup group)
        => EndsByItself(group.Waits) && (!Server.IsPeerOf(group.Waits.Socket) || Server.AnswersInTime(group.Waits.Socket));

    private static bool EndsByItself(FlowWait wait)
        => wait.IsLimited() || wait.Kind is FlowWaitKind.Delay or FlowWaitKind.Timer or FlowWaitKind.Queued or FlowWaitKind.InputOutput;

    private static bool IsMoving(ThreadAssessment thread)
        => thread.State == ThreadActivity.WaitsForIo || Timeouts.IsAwake(thread);

    private static Dictionary<Address, FlowGroup> ByFlow(IReadOnlyList<FlowGroup> groups)
    {
        Dictionary<Address, FlowGroup> known = [];
        foreach ((Address flow, FlowGroup group) in groups.Select(group => (group.Sample, group))
            .Concat(groups.SelectMany(group => (group.Members ?? []).Select(member => (member.Flow, group)))))
        {
            known.TryAdd(flow, group);
        }

        return known;
    }
}
