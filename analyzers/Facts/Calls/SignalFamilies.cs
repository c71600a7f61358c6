namespace HangTriage.Facts.Calls;

/// <summary>
/// The objects of .NET whose waits end by a call. A variable that holds one ends no wait; who can still come to such a call may.
/// Sources: the public members of these types in .NET 8 to 10 and .NET Framework 4.8.
/// </summary>
public static class SignalFamilies
{
    private const string Threading = "System.Threading.";
    private const string Channels = Threading + "Channels.";
    private const string Pipes = "System.IO.Pipelines.";
    private const string Dataflow = Threading + "Tasks.Dataflow.";
    private const string Subjects = "System.Reactive.Subjects.";
    private const string Blocking = "System.Collections.Concurrent.BlockingCollection";
    private const string Nito = "Nito.AsyncEx.";
    private const string Source = Threading + "Tasks.TaskCompletionSource";

    private static readonly string[] s_handles =
    [
        Threading + "EventWaitHandle", Threading + "ManualResetEvent", Threading + "AutoResetEvent", Threading + "Semaphore",
        Threading + "WaitHandle",
    ];

    private static readonly string[] s_blocks =
    [
        Dataflow + "ActionBlock", Dataflow + "BufferBlock", Dataflow + "TransformBlock", Dataflow + "TransformManyBlock",
        Dataflow + "BatchBlock", Dataflow + "BroadcastBlock", Dataflow + "WriteOnceBlock", Dataflow + "JoinBlock",
        Dataflow + "BatchedJoinBlock",
    ];

    private static readonly string[] s_ofBlocks =
    [
        .. s_blocks, Dataflow + "DataflowBlock", Dataflow + "IDataflowBlock", Dataflow + "ITargetBlock", Dataflow + "ISourceBlock",
        Dataflow + "IPropagatorBlock", Dataflow + "IReceivableSourceBlock",
    ];

    private static readonly string[] s_taking =
    [
        "Complete", "Fault", "LinkTo", "Receive", "ReceiveAsync", "TryReceive", "TryReceiveAll", "ReceiveAllAsync", "ConsumeMessage",
        "ReserveMessage", "ReleaseReservation", "TriggerBatch",
    ];

    private static readonly string[] s_exposingBlocks = ["AsObserver", "AsObservable", "Encapsulate", "Choose"];

    private static readonly string[] s_subjects =
        [Subjects + "Subject", Subjects + "AsyncSubject", Subjects + "BehaviorSubject", Subjects + "ReplaySubject"];

    private static readonly string[] s_called = ["Invoke"];

    private static readonly string[] s_exposing =
        ["get_SafeWaitHandle", "set_SafeWaitHandle", "get_Handle", "OpenExisting", "TryOpenExisting"];

    // These take a handle to wait for it, or a block to post to it, and end no waits but those that their names are known to end.
    private static readonly HashSet<string> s_endNoOtherWait = new(StringComparer.Ordinal)
    {
        Dataflow + "DataflowBlock.Post",
        Dataflow + "DataflowBlock.SendAsync",
        Threading + "ThreadPool.RegisterWaitForSingleObject",
        Threading + "ThreadPool.UnsafeRegisterWaitForSingleObject",
        Threading + "WaitHandle.SignalAndWait",
    };

    /// <summary>The pulses of a monitor, which any object can be.</summary>
    public static SignalFamily Pulse { get; } = new("monitor") { Declaring = [Threading + "Monitor"], Gives = ["Pulse", "PulseAll"] };

    /// <summary>A channel that readers wait for: who writes to it or completes it ends the wait.</summary>
    public static SignalFamily Writer { get; } = new("channel's writer")
    {
        Types = [Channels + "ChannelWriter"],
        Gives = ["TryWrite", "WriteAsync", "TryComplete", "Complete"],
        Handed = [Channels + "ChannelWriter", Channels + "Channel"],
        IsByElement = true,
    };

    /// <summary>A channel that writers wait for: who reads from it makes room.</summary>
    public static SignalFamily Reader { get; } = new("channel's reader")
    {
        Types = [Channels + "ChannelReader"],
        Declaring = [Channels + "ChannelReader", "System.Collections.Generic.IAsyncEnumerator"],
        Gives = ["TryRead", "ReadAsync", "ReadAllAsync", "MoveNextAsync"],
        Handed = [Channels + "ChannelReader", Channels + "Channel", "System.Collections.Generic.IAsyncEnumerable"],
        IsByElement = true,
    };

    /// <summary>A pipe that its reader waits for: who flushes or completes it ends the wait.</summary>
    public static SignalFamily PipeWriter { get; } = new("pipe's writer")
    {
        Types = [Pipes + "PipeWriter"],
        Declaring = [Pipes + "PipeWriter", Pipes + "PipeReader"],
        Gives = ["FlushAsync", "WriteAsync", "Complete", "CompleteAsync", "CancelPendingRead"],
        Exposes = ["AsStream"],
        Handed = [Pipes + "PipeWriter", Pipes + "Pipe", Pipes + "IDuplexPipe"],
    };

    /// <summary>A full pipe that its writer waits for: who reads on makes room.</summary>
    public static SignalFamily PipeReader { get; } = new("pipe's reader")
    {
        Types = [Pipes + "PipeReader"],
        Declaring = [Pipes + "PipeReader", Pipes + "PipeWriter"],
        Gives = ["AdvanceTo", "Complete", "CompleteAsync", "CopyToAsync", "CancelPendingFlush"],
        Exposes = ["AsStream"],
        Handed = [Pipes + "PipeReader", Pipes + "Pipe", Pipes + "IDuplexPipe"],
    };

    /// <summary>A blocking collection that is full: who takes from it makes room. Who closes it makes none.</summary>
    public static SignalFamily Emptied { get; } = new("room in a collection")
    {
        Declaring = [Blocking, "System.Collections.IEnumerator"],
        Gives = ["Take", "TryTake", "TakeFromAny", "TryTakeFromAny", "GetConsumingEnumerable", "MoveNext"],
        Handed = [Blocking, "System.Collections.Generic.IEnumerable"],
    };

    /// <summary>A blocking collection that consumers wait for: who adds to it or completes it ends the wait.</summary>
    public static SignalFamily Filled { get; } = new("items of a collection")
    {
        Types = [Blocking],
        Gives = ["Add", "TryAdd", "AddToAny", "TryAddToAny", "CompleteAdding", "Dispose"],
        Handed = [Blocking],
        Room = Emptied,
        RoomFields = ["_freeNodes", "m_freeNodes"],
        ItemFields = ["_collection", "m_collection"],
    };

    /// <summary>
    /// A block of Dataflow that is full: it works on what it has by itself, and else where somebody takes from it, links or completes it.
    /// Who sends it more makes no room.
    /// </summary>
    public static SignalFamily BlockRoom { get; } = new("room in a block")
    {
        Declaring = s_ofBlocks,
        Gives = s_taking,
        Exposes = s_exposingBlocks,
        Handed = s_ofBlocks,
    };

    /// <summary>The same of one that is waited for otherwise: who posts to it may end that, too.</summary>
    public static SignalFamily Block { get; } = new("block")
    {
        Types = s_blocks,
        Declaring = s_ofBlocks,
        Gives = [.. s_taking, "Post", "SendAsync", "OfferMessage"],
        Exposes = s_exposingBlocks,
        Handed = s_ofBlocks,
        Room = BlockRoom,
        RoomFields = ["_boundingState", "_target", "_defaultTarget"],
    };

    /// <summary>An object of the program's whose methods code of .NET calls; code of the program ends nothing by having it.</summary>
    public static SignalFamily Overriding { get; } = new("overriding object") { Gives = [], IsCalledByDotNet = true };

    /// <summary>A TaskCompletionSource.</summary>
    public static SignalFamily Promise { get; } = new("promise")
    {
        Types = [Source],
        Gives =
        [
            "SetResult", "TrySetResult", "SetException", "TrySetException", "SetCanceled", "TrySetCanceled",
            "SetFromTask", "TrySetFromTask",
        ],
        Handed = [Source],
        IsByType = true,
        IsPlainResult = true,
    };

    private static readonly SignalFamily s_roomOfAsync = new("room in an async queue")
    {
        Declaring = [Nito + "AsyncProducerConsumerQueue"],
        Gives = ["Dequeue", "DequeueAsync"],
        Handed = [Nito + "AsyncProducerConsumerQueue"],
    };

    private static readonly SignalFamily[] s_families =
    [
        Pulse,
        Writer,
        Reader,
        PipeWriter,
        PipeReader,
        new("event")
        {
            Types = [Threading + "EventWaitHandle"],
            Declaring = s_handles,
            Gives = ["Set", "SignalAndWait"],
            Exposes = s_exposing,
            Handed = s_handles,
        },
        new("semaphore of the system")
        {
            Types = [Threading + "Semaphore"],
            Declaring = s_handles,
            Gives = ["Release", "SignalAndWait"],
            Exposes = s_exposing,
            Handed = s_handles,
        },
        Of("slim event", Threading + "ManualResetEventSlim", "Set"),
        Of("semaphore", Threading + "SemaphoreSlim", "Release"),
        Of("async semaphore", Nito + "AsyncSemaphore", "Release"),
        Of("async event", Nito + "AsyncManualResetEvent", "Set"),
        Of("async event that resets itself", Nito + "AsyncAutoResetEvent", "Set"),
        Of("async condition", Nito + "AsyncConditionVariable", "Notify", "NotifyAll"),
        new("items of an async queue")
        {
            Types = [Nito + "AsyncProducerConsumerQueue"],
            Gives = ["Enqueue", "EnqueueAsync", "CompleteAdding"],
            Handed = [Nito + "AsyncProducerConsumerQueue"],
            Room = s_roomOfAsync,
            RoomFields = ["_completedOrNotFull"],
        },
        s_roomOfAsync,
        Of("countdown", Threading + "CountdownEvent", "Signal", "Reset"),
        Of("barrier", Threading + "Barrier", "SignalAndWait", "RemoveParticipant", "RemoveParticipants"),
        Filled,
        Emptied,
        Block,
        BlockRoom,
        new("subject")
        {
            Types = s_subjects,
            Declaring = [.. s_subjects, Subjects + "SubjectBase", Subjects + "ISubject", "System.IObserver"],
            Gives = ["OnNext", "OnCompleted", "OnError", "Dispose"],
            Exposes = ["AsObserver"],
            Handed = [.. s_subjects, Subjects + "SubjectBase", Subjects + "ISubject", "System.IObserver"],
        },
        Promise,
    ];

    private static readonly ILookup<string, SignalFamily> s_byType = ByType(family => family.Types);
    private static readonly ILookup<string, SignalFamily> s_byHanded = ByType(family => family.Handed);
    private static readonly ILookup<(string, string), SignalFamily> s_byGiving = ByMember(family => family.Gives);
    private static readonly ILookup<(string, string), SignalFamily> s_byExposing = ByMember(family => family.Exposes);

    /// <summary>Who gives entries of it may have to take one first.</summary>
    public static bool IsSemaphore(SignalFamily family) => family?.Types is [Threading + "SemaphoreSlim" or Nito + "AsyncSemaphore"];

    /// <param name="type">The type of an object or of one that it derives from, as the runtime names it.</param>
    public static SignalFamily? Of(string type)
        // An iterator of a collection is not one itself, nor is an array of such.
        => NameBrackets.Without(type).AsSpan().ContainsAny('+', ']') ? null : s_byType[Plain(type)].FirstOrDefault();

    /// <summary>The delegates of a type, as the runtime names it: who has one does nothing with it unless he calls it.</summary>
    public static SignalFamily Delegates(string type) => new(type) { Gives = s_called, IsDelegate = true, IsCalledByDotNet = true };

    /// <summary>Whose waits a call of the method ends.</summary>
    public static IEnumerable<SignalFamily> GivenBy(string type, string method) => s_byGiving[(type, method)];

    /// <summary>The call completes a promise with a result, not by an exception or as cancelled.</summary>
    public static bool SetsResult(string type, string method) => type == Source && method is "SetResult" or "TrySetResult";

    /// <summary>Whose objects others than the program's code come to by the method.</summary>
    public static IEnumerable<SignalFamily> ExposedBy(string type, string method) => s_byExposing[(type, method)];

    /// <summary>Those whose calls name the very type of the object.</summary>
    public static IEnumerable<SignalFamily> NamedByType => s_families.Where(family => family is { IsByType: true, IsDelegate: false });

    /// <summary>The method, which the framework has, may end waits for objects that it is given by a parameter of that type.</summary>
    /// <param name="method">The method, with its type.</param>
    /// <param name="parameter">The type of the parameter.</param>
    public static IEnumerable<SignalFamily> HandedBy(string method, string parameter)
        => s_endNoOtherWait.Contains(method) ? [] : s_byHanded[Plain(parameter)];

    private static SignalFamily Of(string name, string type, params string[] gives)
        => new(name) { Types = [type], Gives = gives, Handed = [type], IsPlainResult = true };

    private static ILookup<string, SignalFamily> ByType(Func<SignalFamily, IReadOnlyList<string>> types)
        => s_families.SelectMany(family => types(family).Select(type => (Type: type, Family: family)))
            .ToLookup(pair => pair.Type, pair => pair.Family, StringComparer.Ordinal);

    private static ILookup<(string, string), SignalFamily> ByMember(Func<SignalFamily, IReadOnlyList<string>> members)
        => s_families
            .SelectMany(family => (family.Declaring.Count > 0 ? family.Declaring : family.Types)
                .SelectMany(type => members(family).Select(member => (Key: (type, member), Family: family))))
            .ToLookup(pair => pair.Key, pair => pair.Family);

    private static string Plain(string type) => type.IndexOf('<', StringComparison.Ordinal) is > 0 and int start ? type[..start] : type;
}
