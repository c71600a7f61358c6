using System.Text.Json.Serialization;
using HangTriage.Facts.Time;

namespace HangTriage.Facts;

/// <summary>Suspended async methods that are the same method, at the same await, waiting for the same thing or things of one kind.</summary>
public sealed record FlowGroup
{
    /// <summary>The async method, as <see cref="TaskFacts.Method"/> has it: "App.CatalogCache.GetAsync".</summary>
    public required string Method { get; init; }

    /// <summary>Which await of the method in the order of the source, from 0 on, as the compiler numbers them.</summary>
    public required int Await { get; init; }

    /// <summary>Where that await is; null where no PDB of the module was found, or it does not tell.</summary>
    public SourceLine? Source { get; init; }

    public required int Count { get; init; }

    public required FlowState State { get; init; }

    public required FlowWait Waits { get; init; }

    /// <summary>
    /// The async methods that await the sample, from the one next to it to the outermost. One that awaits itself over and over
    /// is named once. At most some, then <see cref="IsChainCut"/>. For a task that stands for an operation
    /// (<see cref="Calls.TaskCalls.OfOperation"/>): the method in which a thread blocks on it.
    /// </summary>
    public required IReadOnlyList<string> AwaitedBy { get; init; }

    /// <summary><see cref="AwaitedBy"/> does not go up to the outermost method.</summary>
    public bool IsChainCut { get; init; }

    /// <summary>
    /// The sample, or an async method that awaits it, comes back to its await again and again. Null where that was not looked for, which it
    /// is for input and output, semaphores, queues and promises outside .NET's own code, or not found out.
    /// </summary>
    public bool? IsInLoop { get; init; }

    /// <summary>Where <see cref="IsInLoop"/>: every such loop ends by itself, with a count or the end of a collection.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsLoopBounded { get; init; }

    /// <summary>It is queued to continue, or a timer ends its wait.</summary>
    public bool ContinuesByItself() => State == FlowState.QueuedToResume || Waits.IsLimited();

    /// <summary>It comes to an end with what it waits for, now or after some more rounds.</summary>
    public bool IsMeantToEnd() => IsInLoop == false || IsLoopBounded;

    /// <summary>How the loop ends that the sample goes round. Null for one that goes round none, and where that was not looked for or not found out.</summary>
    public FlowLoopEnd? LoopEnd { get; init; }

    /// <summary>
    /// For <see cref="FlowWaitKind.Semaphore"/>: the method that waits, or what it returns, also releases a semaphore, as they do that use it for a lock.
    /// Null for other waits, and where its instructions are not in the input.
    /// </summary>
    public bool? Releases { get; init; }

    /// <summary>
    /// What they wait for is a semaphore that is used for a lock: it has a maximum, or the method that waits gives back what it takes.
    /// Without either it is as often how consumers are told of work.
    /// </summary>
    public bool IsForLock() => Waits is { Kind: FlowWaitKind.Semaphore, Entries: { } entries } && (entries.IsBounded() || Releases == true);

    /// <summary>
    /// The wait idles until somebody cancels it, as far as can be told. Whoever waits for a lock wants it now: that a token could call it
    /// off is no reason why it should take long.
    /// </summary>
    public bool IdlesByToken() => Waits.EndsByToken && Releases != true;

    /// <summary>
    /// For <see cref="FlowWaitKind.Delay"/>: the type of the exception that the last try ended with, where the method, or one that awaits
    /// it, goes round a loop and keeps it in a variable: it waits before it tries again. Null for others.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? TriesAgainAfter { get; init; }

    /// <summary>A variable of the method is a CancellationTokenSource that a timer is to cancel: what it awaits with that token ends with the timer.</summary>
    public bool CancelsByTimer { get; init; }

    /// <summary>
    /// The address at which the process accepted the connection that a variable of the sample leads to: it serves that connection. The port
    /// is 0 where the system chose it. Null where no such connection is seen.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? AcceptedAt { get; init; }

    /// <summary>
    /// How long the one of them has waited that has waited longest, of those of which something tells; null where nothing does.
    /// </summary>
    public Age? Since { get; init; }

    /// <summary>The same of the one that has waited shortest; null where <see cref="Since"/> is, and for a single one.</summary>
    public Age? Youngest { get; init; }

    /// <summary>What keeps the sample alive, as far as it was looked for.</summary>
    public required FlowRoot Root { get; init; }

    /// <summary>For <see cref="FlowRoot.Thread"/>: the thread whose stack refers to it.</summary>
    public ThreadId? RootThread { get; init; }

    /// <summary>The object of one of them: the box of its state machine, which for an async method with a Task is that Task.</summary>
    public required Address Sample { get; init; }

    /// <summary>All of them; null where they are many.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<FlowMember>? Members { get; init; }
}
