using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Markdown;

/// <summary>Threads that show the same stack.</summary>
internal sealed record StackGroup(IReadOnlyList<ThreadFacts> Threads, IReadOnlyList<string> Frames)
{
    /// <summary>The largest groups first, then by thread number.</summary>
    public static IReadOnlyList<StackGroup> Fold(IEnumerable<ThreadFacts> threads)
        =>
        [
            .. threads
                .Select(thread => (Thread: thread, Frames: (IReadOnlyList<string>)[.. thread.Stack.Frames.Select(FrameText.Of)]))
                .GroupBy(pair => string.Join('\n', pair.Frames), StringComparer.Ordinal)
                .Select(group => new StackGroup([.. group.Select(pair => pair.Thread)], group.First().Frames))
                .OrderByDescending(group => group.Threads.Count)
                .ThenBy(group => group.Threads[0].Index),
        ];
}
