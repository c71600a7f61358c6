using HangTriage.Capture.Live;

namespace HangTriage.Cli.Live;

/// <summary>What two looks at a process say of the workers of its thread pool. One without work waits with a time limit.</summary>
/// <param name="Blocked">Those that waited without one at both looks.</param>
/// <param name="Seen">All of which that is known.</param>
internal sealed record WorkerLook(int Blocked, int Seen)
{
    /// <summary>Of more than one: a single worker may have something that lasts.</summary>
    public bool AreAllBlocked => Blocked == Seen && Seen > 1;

    public static WorkerLook Of(ProcessEntry then, ProcessEntry now)
        => new(
            now.Threads.Count(pair => IsBlocked(pair.Value) && IsBlocked(then.Threads.GetValueOrDefault(pair.Key))),
            now.Threads.Values.Count(thread => thread.IsBlockedWorker is not null));

    public override string ToString()
        => Blocked == 0 ? string.Empty : $"; {(AreAllBlocked ? $"all {Seen}" : $"{Blocked} of {Seen}")} pool workers blocked";

    private static bool IsBlocked(ThreadEntry? thread) => thread?.IsBlockedWorker == true;
}
