using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Work;

/// <summary>A thread at work, with what the samples show of it.</summary>
internal sealed class Worker
{
    private readonly RuleContext _context;
    private readonly SpinSignals _spin;

    public Worker(RuleContext context, ThreadAssessment thread)
    {
        _context = context;
        _spin = context.SpinOf(thread);
        Thread = thread.Thread;
        Waiters = context.Graph.ThreadsBehind(WaitNode.Of(Id));
        FlowBehind = context.Flows.Groups.FirstOrDefault(group => !Frameworks.IsOwn(group.Method) && group is
        {
            State: FlowState.Suspended,
            Waits: { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe, Reach: { By: FlowRoot.Thread, Thread: { } id } },
        } && id == Id) ?? (context.Flows.Server.Answering.Contains(Id) ? context.Flows.Server.Asker : null);
        FlowInHand = context.Flows.Groups.FirstOrDefault(group => !Frameworks.IsOwn(group.Method) && group is
        {
            State: FlowState.Suspended,
            Waits: { Kind: FlowWaitKind.Task, Reach.Movers: [{ HasInHand: true, Thread: { } id }] },
        } && id == Id);
        FlowLedTo = context.Flows.Groups.FirstOrDefault(group => !Frameworks.IsOwn(group.Method) && group is
        {
            State: FlowState.Suspended,
            Waits: { Kind: FlowWaitKind.Task, Reach: { By: FlowRoot.Thread, Movers: [{ Thread: { } id }] } },
        } && id == Id);
        Work = context.FindWork(Id);
        History = Work is null ? null : context.Timeline.OfWork(Thread, Work);
        Frame = FrameOf(Circle?.Method) ?? FrameOf(Repeat?.Method) ?? FrameOf(History?.Place.Method) ?? Thread.Stack.Frames.FirstOrDefault(frame => UserCode.IsManaged(frame) && frame.Source is not null)
            ?? Thread.Stack.Frames.First(UserCode.IsManaged);
    }

    public ThreadFacts Thread { get; }

    public ThreadId Id => Thread.OsId;

    /// <summary>Who waits behind it.</summary>
    public IReadOnlyList<WaitNode> Waiters { get; }

    public WorkHistory? History { get; }

    public WorkCircle? Circle => Work?.Circle;

    /// <summary>The proof that its loop has no end.</summary>
    public WorkRepeat? Repeat => Work?.Repeat;

    /// <summary>
    /// The frame that is to be named: the loop that walks a circle, or is proved to have no end, the innermost that all samples share, or the innermost of the program,
    /// or of a library where it has none.
    /// </summary>
    public FrameFacts Frame { get; }

    public string Method => Frame.Method!;

    /// <summary>The loop of that frame; null where it is in none, or none is known.</summary>
    public WorkLoop? Loop => Work?.Frames.FirstOrDefault(frame => frame.Method == Method)?.Loop;

    public bool IsMain => UserCode.IsUnderMain(Thread.Stack.Frames);

    /// <summary>Somebody that matters waits for it: Main or a user interface.</summary>
    public bool IsAwaitedByImportant => Waiters.Any(IsImportant);

    /// <summary>
    /// An async method of the program that waits at a queue, or for an answer of the process itself, where this thread is who can end the
    /// wait; null where none does.
    /// </summary>
    public FlowGroup? FlowBehind { get; }

    /// <summary>An async method of the program that waits for a promise that this thread alone has in hand; null for none.</summary>
    public FlowGroup? FlowInHand { get; }

    /// <summary>An async method of the program that waits for a promise which nobody but this thread leads to; null for none.</summary>
    public FlowGroup? FlowLedTo { get; }

    /// <summary>Threads that wait for a signal which nobody but this thread can lead to: it may come of its work, and need not.</summary>
    public IReadOnlyList<WaitFacts> SignalsBehind
        =>
        [
            .. _context.Waits.Where(wait => wait is { Kind: WaitKind.Signal, Reach: { By: FlowRoot.Thread, Movers: [{ Thread: { } id }] } } && id == Id),
        ];

    public bool IsDependedOn
        => Waiters.Count > 0 || IsMain || FlowBehind is not null || _context.FindUiThread(Id) is not null;

    /// <summary>It alone has used the processor, nobody waits for it, and the samples tell no more: that is HT4002's.</summary>
    public bool IsRunaway
        => Circle is null && Signs == Sign.None && Waiters.Count == 0 && _spin.Computes
            && _spin.Cpu.Is(share => share.IsMuch && share.Dominates(_context.ProcessCpu))
            && _context.Threads.All(thread => thread.Thread.Cpu.HasValue);

    public Known<CpuShare> Cpu => _spin.Cpu;

    public Sign Signs => Repeat is not null ? Sign.RoundUnchanged : History?.Stay switch
    {
        WorkStay.SameCall when IsBusy || HasRunForLong => Sign.StaysInCall,
        WorkStay.SameRound when IsBusy || History.HasRunEachTime => Sign.RoundUnchanged,
        WorkStay.Throws when IsBusy || HasRunForLong => Sign.RoundUnchanged,
        _ => Sign.None,
    };

    public bool IsThrowing => History?.Stay == WorkStay.Throws;

    /// <summary>From somebody who waits to this thread; the most important one's.</summary>
    public IReadOnlyList<WaitEdge> Chain
        => Waiters.OrderByDescending(IsImportant)
            .Select(_context.Graph.ChainFrom)
            .FirstOrDefault(chain => chain.Any(edge => edge.To.Thread == Id)) ?? [];

    private WorkFacts? Work { get; }

    private bool IsImportant(WaitNode node) => node.Thread is { } thread && ImportantThreads.Contain(_context, thread);

    // A thread that hardly got to run was in the same call for lack of a processor.
    private bool IsBusy => _spin.History?.IsBusy is null || _spin.IsBusy == true;

    // Where others have the processors, what it would use counts, and that it got enough of them for a round.
    private bool HasRunForLong => _spin.WantsProcessor && History?.HasRunEachTime == true && _spin.History?.Cpu >= Thresholds.LeastCpu / 2;

    /// <summary>
    /// It runs code of the program's own, or what that called; it does not spin until others do something, and is in no call that leaves
    /// the process.
    /// </summary>
    public static bool Is(RuleContext context, ThreadAssessment thread)
        => IsCaughtAtWork(thread)
            && context.WaitsOf(thread.Thread.OsId).Count == 0
            && context.SpinOf(thread) is { Spins: not true } spin && (spin.IsBusy != false || spin.WantsProcessor)
            && OutsideCall.In(thread.Thread.Stack.Frames) is null
            && context.FindPoll(thread.Thread.OsId)?.EndsByConditionAlone() != true;

    /// <summary>It runs code of the program's own, or what that called, however much of a processor it has had.</summary>
    public static bool IsCaughtAtWork(ThreadAssessment thread)
        => thread.State == ThreadActivity.Running && thread.Thread.Stack.Frames.Any(UserCode.IsManaged);

    private FrameFacts? FrameOf(string? method)
        => method is null
            ? null
            : Thread.Stack.Frames
                .FirstOrDefault(frame => frame.Method is { } name
                    && CallNames.WithoutSignature(name) == CallNames.WithoutSignature(method));
}
