using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>What a suspended async method waits for.</summary>
public sealed record FlowWait
{
    public required FlowWaitKind Kind { get; init; }

    /// <summary>
    /// What the sample waits for: the semaphore, the channel or the pipe itself where one is behind the awaited object, else the
    /// awaited object. Null where nothing tells, and where nothing is awaited.
    /// </summary>
    public Address? Address { get; init; }

    /// <summary>How many different objects the methods of the group wait for; 1 where all wait for the same.</summary>
    public int Objects { get; init; } = 1;

    /// <summary>The full name of the object's type; null where it is not known.</summary>
    public string? Type { get; init; }

    /// <summary>
    /// For <see cref="FlowWaitKind.AsyncMethod"/> the method, as "App.Shop.PriceAsync"; else the field that holds the object, as
    /// "App.CatalogCache.gate", or the variable of the method, as "gate". Null where it was not found within the bounds of the search.
    /// </summary>
    public string? Label { get; init; }

    /// <summary>
    /// The field of the program in which it keeps a task or a queue that has no <see cref="Label"/> of a field, itself or in something else:
    /// "App.Link._pending".
    /// Null where none is known.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? KeptIn { get; init; }

    /// <summary>
    /// The first async method of the base library between the method and what it waits for: "System.IO.StreamReader.ReadLineAsync".
    /// Null where there is none.
    /// </summary>
    public string? Via { get; init; }

    /// <summary>For a semaphore: how many more can enter it, and how many at most. Null where that is not known.</summary>
    public SemaphoreEntries? Entries { get; init; }

    /// <summary>
    /// For a semaphore of one entry: who has taken that, and awaits one of the methods that wait for it. Null where nobody is seen to.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public FlowTaker? Taker { get; init; }

    /// <summary>
    /// For a semaphore whose entries are all taken: one that has what gives an entry back when it is disposed of, or is in a
    /// part of a method that is run with an entry. Null where none is seen, and where
    /// <see cref="Taker"/> is known.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public FlowTaker? Holder { get; init; }

    /// <summary>
    /// The same where a thread has an entry: it is in a part of a method that is run with one, and gives it back behind that. Null where
    /// none is seen.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ThreadId? HeldBy { get; init; }

    /// <summary>
    /// For a Task.WhenAll: how many of the tasks that it still waits for are gone, since nothing refers to them any more.
    /// 0 where none is known to be.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int LostParts { get; init; }

    /// <summary>For a channel or a pipe: how full it is. Null where that is not known.</summary>
    public FlowQueue? Queue { get; init; }

    /// <summary>For an operation of a socket: the socket. Null for others, and where it is not known.</summary>
    public SocketFacts? Socket { get; init; }

    /// <summary>The pool of connections that the method asks, on its way to what it waits for; null where it asks none that is known.</summary>
    public FlowPool? Pool { get; init; }

    /// <summary>
    /// A timer ends the wait, too: a timeout was given, or its cancellation token will be cancelled by one. For a delay and a timer it is
    /// what ends it.
    /// </summary>
    public bool EndsByTimer { get; init; }

    /// <summary>What the timer of <see cref="EndsByTimer"/> was set to; null where there is none, or it is not known.</summary>
    public TimeSpan? SetFor { get; init; }

    /// <summary>A timer ends the wait, and not so late that the wait is as good as without end.</summary>
    public bool IsLimited() => EndsByTimer && (Kind is FlowWaitKind.Delay or FlowWaitKind.Timer || SetFor is not { } limit || WaitLimit.Ends(limit));

    /// <summary>A cancellation token that is not None ends the wait, too: mostly of those who stop a service or give a request up.</summary>
    public bool EndsByToken { get; init; }

    /// <summary>The wait takes a cancellation token that nobody can cancel any more but who waits itself: it ends nothing.</summary>
    public bool IsTokenLost { get; init; }

    /// <summary>Who can still end the wait, where that is the same for all objects of the group; null where that was not followed.</summary>
    public WaitReach? Reach { get; init; }
}
