using System.Text.Json.Serialization;
using HangTriage.Facts.Time;

namespace HangTriage.Facts;

public sealed record LockFacts
{
    public required LockId Id { get; init; }

    /// <summary>What the lock is called: the type of the object that is locked, or the name of a well-known section.</summary>
    public required Known<string> Name { get; init; }

    /// <summary>
    /// The field that holds it, as "App.Cache._gate"; a gap where none was found. Null where nobody looked: only locks of .NET
    /// that somebody waits for are looked up.
    /// </summary>
    public Known<string>? Field { get; init; }

    public required Known<bool> IsHeld { get; init; }

    /// <summary>The thread that holds it. A gap where it is free or its owner is not recorded. The thread need not exist any more.</summary>
    public required Known<ThreadId> Owner { get; init; }

    /// <summary>
    /// True where the thread that took it is known to have ended without releasing it, even if its id is lost; false where
    /// it lives; null where the lock is free or nothing tells.
    /// </summary>
    public bool? OwnerHasEnded { get; init; }

    /// <summary>Processes share the lock, and a thread of another one has it: <see cref="Owner"/> is a gap.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsHeldOutside { get; init; }

    /// <summary>How often its owner has entered it.</summary>
    public required Known<uint> Recursion { get; init; }

    /// <summary>How many threads the lock itself counts as waiting. Zero is no proof that nobody does.</summary>
    public required Known<uint> WaiterCount { get; init; }

    /// <summary>
    /// True where a thread that waits was woken to take the lock and has not tried yet: it was given back a moment ago, even if
    /// another thread has taken it since. Null where nothing tells.
    /// </summary>
    public bool? HasWokenWaiter { get; init; }

    /// <summary>
    /// For how long none of those who wait has got the lock: who waits longest has waited at least as long. Null where nothing tells, and
    /// where nobody waits.
    /// </summary>
    public Age? Starvation { get; init; }

    /// <summary>
    /// It was caught on its way from one thread to the next: somebody is just taking it or giving it back, and only that
    /// moment hides who holds it.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsPassing { get; init; }

    /// <summary>For a lock that several threads can hold at once, those that read under it. Null for other locks.</summary>
    public Known<IReadOnlyList<ThreadId>>? Readers { get; init; }

    /// <summary>
    /// For a semaphore of which no entry is left, who has them: each is in a part of a method that gives the entry back behind that. Null
    /// where not all of them are known, and for other locks.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<EntryHolder>? Holders { get; init; }

    /// <summary>For a semaphore. Null for other locks.</summary>
    public Known<SemaphoreEntries>? Entries { get; init; }
}
