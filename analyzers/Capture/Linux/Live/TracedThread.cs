namespace HangTriage.Capture.Linux.Live;

/// <summary>A thread that this tool has seized.</summary>
/// <param name="Id">Its id where this tool runs.</param>
internal sealed record TracedThread(int Id)
{
    /// <summary>It has stopped and waits for this tool.</summary>
    public bool IsStopped { get; set; }

    /// <summary>It has ended, or was never there.</summary>
    public bool IsGone { get; set; }

    /// <summary>The kernel works for it and cannot be interrupted: it cannot run code of its own before that ends.</summary>
    public bool IsInKernel { get; set; }

    /// <summary>The signal that was on its way when it stopped; 0 for none. It is lost unless it is given back.</summary>
    public int PendingSignal { get; set; }

    /// <summary>user_regs_struct, and the registers for floating-point numbers where they were read; null where it did not stop.</summary>
    public byte[]? Registers { get; set; }
}
