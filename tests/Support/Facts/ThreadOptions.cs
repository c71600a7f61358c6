using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <summary>What a thread of a <see cref="SnapshotBuilder"/> has beside its frames.</summary>
public sealed record ThreadOptions
{
    /// <summary>Its number in the debugger; null for the next one.</summary>
    public int? Index { get; init; }

    public string Name { get; init; } = "";

    public CpuTime? Cpu { get; init; } = new(TimeSpan.Zero, TimeSpan.Zero);

    public TimeSpan? Life { get; init; } = TimeSpan.FromHours(1);

    public bool WaitingOnLoaderLock { get; init; }

    /// <summary>Null for a thread whose environment block does not tell.</summary>
    public bool? IsLoadOwner { get; init; } = false;

    public bool IsLoaderWorker { get; init; }

    public bool IsGuiThread { get; init; }

    public Known<LoopFacts>? Loop { get; init; }

    public Known<bool>? IsInSystemCall { get; init; }

    public bool? IsSuspended { get; init; }

    public KernelThreadFacts? Kernel { get; init; }

    /// <summary>How long the system call sleeps that the thread is in; null for a thread whose call does not tell.</summary>
    public TimeSpan? Sleep { get; init; }

    /// <summary>The thread whose block its environment block says it is; null for this one.</summary>
    public uint? ClientId { get; init; }

    public Gap? StackStopped { get; init; }

    /// <summary>From this frame on the stack is guessed from its words; null where it was walked.</summary>
    public int? ScannedFrom { get; init; }
}
