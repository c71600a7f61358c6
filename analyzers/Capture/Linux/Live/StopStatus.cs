namespace HangTriage.Capture.Linux.Live;

/// <summary>What waitpid says of a traced thread, as wait(2) and ptrace(2) lay it out.</summary>
/// <param name="Value">The status.</param>
internal readonly record struct StopStatus(int Value)
{
    private const int Stopped = 0x7F;
    private const int TrapSignal = 5;

    public bool IsStop => (Value & 0xFF) == Stopped;

    /// <summary>
    /// The signal that the thread was about to take. A stop with an event number is this tool's own, or one of job control,
    /// and takes no signal away.
    /// </summary>
    public int PendingSignal => IsStop && Value >> 16 == 0 && Signal != TrapSignal ? Signal : 0;

    private int Signal => (Value >> 8) & 0xFF;
}
