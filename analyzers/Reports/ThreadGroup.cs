using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports;

/// <summary>Threads of one name that do the same in the same place.</summary>
/// <param name="Name">Empty where they have none, or the names differ only in digits.</param>
/// <param name="Threads">At least one, by number.</param>
internal sealed record ThreadGroup(string Name, IReadOnlyList<ThreadAssessment> Threads)
{
    private const int MostRanges = 6;

    public ThreadAssessment First => Threads[0];

    /// <summary>"4-17, 19".</summary>
    public string Numbers => NumberRanges.Of(Threads.Select(thread => thread.Thread.Index), MostRanges);

    /// <summary>What they wait for, without addresses; null where that is not known.</summary>
    public string? WaitsFor => First.WaitsFor is { } target ? PlainLabel.Of(target.Label) : null;

    /// <summary>"threads ".NET TP Worker" 4-17, 19", which leads to the first of them.</summary>
    public Claim Who => Threads.Count == 1
        ? Involved.Name(First.Thread)
        : Claim.Of(new ClaimPart($"threads{(Name.Length > 0 ? $" \"{Name}\"" : string.Empty)} {Numbers}") { Thread = First.Thread.OsId });

    /// <summary>"waits for monitor Cache._gate", "wait for I/O" of several, "idle pool worker".</summary>
    public string Does
    {
        get
        {
            string does = WaitsFor is { } target ? $"waits for {target}" : Words.Of(First.State);
            return Threads.Count > 1 && does.StartsWith("waits ", StringComparison.Ordinal) ? "wait " + does["waits ".Length..] : does;
        }
    }

    /// <summary>"Cache.Trim (Shop/Cache.cs:39)"; null where no frame says it.</summary>
    public string? Where => Frame(First) is { } frame && FrameText.Of(frame with { MethodOffset = null, ModuleOffset = null }) is { Length: > 0 } place ? place : null;

    /// <summary>Those of the verdict first, then the largest.</summary>
    public static IReadOnlyList<ThreadGroup> Of(TriageResult result)
    {
        HashSet<ThreadId> involved = [.. Involved.Threads(result).Select(thread => thread.OsId)];
        return
        [
            .. Group(result.Threads)
                .OrderByDescending(group => group.Threads.Any(thread => involved.Contains(thread.Thread.OsId)))
                .ThenByDescending(group => group.Threads.Count)
                .ThenBy(group => group.First.Thread.Index),
        ];
    }

    public static IEnumerable<ThreadGroup> Group(IEnumerable<ThreadAssessment> threads)
        => threads
            .GroupBy(thread => (Name: Crowds.NameOf(thread.Thread), thread.State, Target: thread.WaitsFor is { } target ? PlainLabel.Of(target.Label) : null, Place: PlaceOf(thread)))
            .Select(group => new ThreadGroup(group.Key.Name, [.. group.OrderBy(thread => thread.Thread.Index)]));

    /// <summary>The frame that says what it does, without offset; null where none does.</summary>
    private static string? PlaceOf(ThreadAssessment thread) => Frame(thread) is { } frame ? $"{frame.Module}!{frame.Method}" : null;

    /// <summary>The innermost method of the program's own, else the frame that tells what the thread does.</summary>
    public static FrameFacts? Frame(ThreadAssessment thread) => OwnCode.In(thread.Thread) ?? (thread.Frame is { Kind: not FrameKind.Runtime } tells ? tells : null) ?? thread.Thread.Stack.Frames.FirstOrDefault(frame => frame.Kind != FrameKind.Runtime);
}
