namespace HangTriage.Facts;

/// <summary>What the kernel of Linux says of a thread while it lives. Read just before the process was stopped.</summary>
/// <param name="State">Its state.</param>
/// <param name="Switches">How often it has left a processor since it started, of itself or not. A stop by another program counts up to three times: for itself, for the wait that continues behind it, and where others want the processor.</param>
/// <param name="WaitChannel">The function of the kernel that it waits in; empty where it waits in none, or this user may not know.</param>
public sealed record KernelThreadFacts(KernelThreadState State, Known<long> Switches, Known<string> WaitChannel)
{
    /// <summary>
    /// For how long since it started it was ready to run and others had the processors; null where the kernel keeps no account of it.
    /// </summary>
    public TimeSpan? Ready { get; init; }
}
