using HangTriage.Facts;

namespace HangTriage.Rules;

/// <summary>A thread, a lock or a task that plays a part in a finding.</summary>
public sealed record Party
{
    private Party(PartyKind kind, string label)
    {
        Kind = kind;
        Label = label;
    }

    public PartyKind Kind { get; }

    /// <summary>What a person calls it: thread 114 (0x6710) "worker"; the loader lock (0x7ffd12345678).</summary>
    public string Label { get; }

    public ThreadId? Thread { get; private init; }

    public LockId? Lock { get; private init; }

    /// <summary>The address of a task's object.</summary>
    public Address? Task { get; private init; }

    /// <summary>What the party does: "spins in SwitchToThread", "held by thread 114"; null where there is nothing to say.</summary>
    public string? Role { get; init; }

    public static Party OfThread(ThreadId thread, string label) => new(PartyKind.Thread, label) { Thread = thread };

    public static Party OfTask(Address task, string label) => new(PartyKind.Task, label) { Task = task };

    public static Party OfLock(LockId @lock, string label) => new(PartyKind.Lock, label) { Lock = @lock };
}
