using HangTriage.Facts;

namespace HangTriage.Rules.Claims;

/// <summary>A thread, a lock, a task or the thread pool that plays a part in a finding.</summary>
public sealed record Party
{
    private Party(PartyKind kind, Claim label)
    {
        Kind = kind;
        Label = label;
    }

    public PartyKind Kind { get; }

    /// <summary>What a person calls it: thread 114 (0x6710) "worker"; the loader lock (0x7ffd12345678).</summary>
    public Claim Label { get; }

    public ThreadId? Thread { get; private init; }

    public LockId? Lock { get; private init; }

    /// <summary>The address of a task's object.</summary>
    public Address? Task { get; private init; }

    /// <summary>What the party does: "spins in SwitchToThread", "held by thread 114"; null where there is nothing to say.</summary>
    public Claim? Role { get; init; }

    public static Party OfThread(ThreadId thread, Claim label) => new(PartyKind.Thread, label) { Thread = thread };

    public static Party OfTask(Address task, Claim label) => new(PartyKind.Task, label) { Task = task };

    public static Party OfLock(LockId @lock, Claim label) => new(PartyKind.Lock, label) { Lock = @lock };

    public static Party OfPool(Claim label) => new(PartyKind.Pool, label);

    /// <summary>The same thing of the target, whatever it is called and does.</summary>
    public bool IsSame(Party other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return Kind == other.Kind && Thread == other.Thread && Lock == other.Lock && Task == other.Task;
    }

    public override string ToString() => Label.Text;
}
