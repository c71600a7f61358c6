namespace HangTriage.Reports.Json;

/// <summary>What a thread waits for.</summary>
/// <param name="Kind">The lock's kind, "task", "thread" or "several".</param>
/// <param name="Label">In words.</param>
/// <param name="Address">The lock's or the task's.</param>
/// <param name="Type">The type or name of the lock or the task.</param>
/// <param name="Owner">The thread that holds it, or whose end is awaited.</param>
/// <param name="Timeout">Milliseconds after which the wait gives up by itself; -1 for never.</param>
internal sealed record WaitPart(string Kind, string Label, string? Address, string? Type, string? Owner, double? Timeout)
{
    public AgePart? Since { get; init; }
}
