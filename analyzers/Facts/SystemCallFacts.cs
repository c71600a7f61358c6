namespace HangTriage.Facts;

/// <summary>The system call that a thread is in.</summary>
/// <param name="Number">
/// Its number: on Windows by the code of its stub, and it changes from one build to the next; on Linux by the saved registers.
/// </param>
/// <param name="Name">Its name: on Windows read from ntdll's exports, or assumed from the number; on Linux by the number.</param>
public sealed record SystemCallFacts(Known<uint> Number, Known<string> Name)
{
    /// <summary>
    /// For a call that sleeps on Windows: for how long, <see cref="Timeout.InfiniteTimeSpan"/> forever. Null for other calls.
    /// </summary>
    public Known<TimeSpan>? Delay { get; init; }

    /// <summary>
    /// On Linux: whether the call was told to give up after some time, as one that sleeps always is; null where its arguments
    /// are not read or it takes no timeout.
    /// </summary>
    public bool? HasTimeout { get; init; }
}
