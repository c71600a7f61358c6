namespace HangTriage.Facts;

public sealed record ThreadFacts
{
    public required ThreadId OsId { get; init; }

    /// <summary>The <see cref="Index"/> of a thread in a trace, which has no such list.</summary>
    public const int NoIndex = -1;

    /// <summary>The thread's place in the target's thread list, which is the debugger's thread number.</summary>
    public required int Index { get; init; }

    /// <summary>The managed thread id; null where the thread runs no managed code, or no runtime could be asked.</summary>
    public int? ManagedId { get; init; }

    /// <summary>The name that the program gave the thread; empty where it gave none.</summary>
    public required Known<string> Name { get; init; }

    public required Known<CpuTime> Cpu { get; init; }

    public required Known<DateTimeOffset> StartedAt { get; init; }

    /// <summary>The address of the thread's first function.</summary>
    public required Known<Address> StartAddress { get; init; }

    public required StackFacts Stack { get; init; }

    /// <summary>
    /// The system call that the thread is in. Null where it was seen to be in none, and where the target is Linux and its
    /// registers do not tell; a gap where neither its code nor its name could be seen.
    /// </summary>
    public Known<SystemCallFacts>? SystemCall { get; init; }

    /// <summary>The thread environment block; null where the target is not Windows.</summary>
    public Known<TebFacts>? Teb { get; init; }

    /// <summary>
    /// The loop that the thread is in: around its innermost frame, or else around its innermost frame outside the system's
    /// layers. Null where that code was decoded and goes round nowhere, or code of this architecture is not decoded.
    /// </summary>
    public Known<LoopFacts>? Loop { get; init; }

    /// <summary>
    /// The thread is in the kernel by a system-call instruction: as its code says on Windows, as its saved registers say on
    /// Linux. False means that it is on a processor or ready for one. Null where neither is read for this architecture.
    /// </summary>
    public Known<bool>? IsInSystemCall { get; init; }

    /// <summary>
    /// Somebody has suspended this thread alone, as its suspend count shows beside the others'. Null where the source has no
    /// such counts.
    /// </summary>
    public Known<bool>? IsSuspended { get; init; }

    /// <summary>What the kernel says of it; null where the source is no live process of Linux.</summary>
    public KernelThreadFacts? Kernel { get; init; }
}
