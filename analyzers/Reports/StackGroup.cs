using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>Threads that show the same stack.</summary>
internal sealed record StackGroup(IReadOnlyList<ThreadFacts> Threads, IReadOnlyList<FrameFacts> Frames)
{
    /// <summary>In the order of their first threads.</summary>
    /// <param name="threads">The threads.</param>
    /// <param name="frames">What of a thread's stack is shown; all of it unless told.</param>
    public static IReadOnlyList<StackGroup> InOrder(IEnumerable<ThreadFacts> threads, Func<ThreadFacts, IReadOnlyList<FrameFacts>>? frames = null)
        =>
        [
            .. threads
                .Select(thread => new StackGroup([thread], frames?.Invoke(thread) ?? thread.Stack.Frames))
                .GroupBy(one => string.Join('\n', one.Frames.Select(FrameText.Of)), StringComparer.Ordinal)
                .Select(group => group.First() with { Threads = [.. group.SelectMany(one => one.Threads)] }),
        ];

    /// <summary>The largest groups first, then by thread number.</summary>
    public static IReadOnlyList<StackGroup> Fold(IEnumerable<ThreadFacts> threads)
        => [.. InOrder(threads).OrderByDescending(group => group.Threads.Count).ThenBy(group => group.Threads[0].Index)];
}
