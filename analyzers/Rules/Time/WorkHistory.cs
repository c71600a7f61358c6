using HangTriage.Facts;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Time;

/// <summary>What the samples show of a thread at work: in each of them it was at work, and below the same methods of the program.</summary>
/// <param name="Between">From the first of the samples to the one that is judged.</param>
/// <param name="Samples">How many.</param>
/// <param name="Stay">Whether anything changed in between.</param>
/// <param name="Place">The innermost method of the program that all of them share, as its frame of now.</param>
internal sealed record WorkHistory(Known<TimeSpan> Between, int Samples, WorkStay Stay, WorkFrame Place)
{
    /// <summary>In one of the calls that all samples share something is known to have changed.</summary>
    public bool HasChanged { get; init; }

    /// <summary>
    /// It has used the processor from each sample to the next, if only a little: enough for many rounds of a loop that calls nothing.
    /// </summary>
    public bool HasRunEachTime { get; init; }

    /// <param name="now">The thread as it is in the sample that is judged.</param>
    /// <param name="earlier">The same thread in the samples before, the latest first, all of them at work.</param>
    /// <param name="hasRun">It has used the processor in between; null where that is not recorded.</param>
    /// <param name="hasRunEachTime">The same of each sample to the next.</param>
    public static WorkHistory? Of(WorkFacts now, IReadOnlyList<(WorkFacts Work, Known<TimeSpan> Before)> earlier, bool? hasRun,
        bool hasRunEachTime)
    {
        WorkFacts[] all = [now, .. earlier.Select(sample => sample.Work)];
        int shared = Shared(all, (one, other) => one.Method == other.Method);
        if (all.Length < 2 || shared == 0)
        {
            return null;
        }

        WorkHistory history = new(earlier[^1].Before, all.Length, WorkStay.Moves, now.Frames[^shared])
        {
            HasChanged = Array.Exists(all, work => IsChanged(now, work, shared)),
        };
        if (!(hasRun ?? all.Select(work => work.Ip).Distinct().Count() > 1))
        {
            return history;
        }

        int same = Shared(all, IsSame);
        return Array.TrueForAll(all, work => work.Frames.Count == same) ? history with { Stay = WorkStay.SameCall }
            : Array.TrueForAll(all, work => work.Frames.Count == same + 1 && work.Frames[0].IsInnermost)
                && GoesRound([.. all.Select(work => work.Frames[0])]) ? history with { Stay = WorkStay.SameRound }
            : WorkRounds.Repeating(all, hasRunEachTime) is { } loop ? history with { Stay = WorkStay.SameRound, Place = loop }
            : Thrower(all, same) is { } thrower ? history with { Stay = WorkStay.Throws, Place = thrower }
            : history;
    }

    private static bool IsChanged(WorkFacts now, WorkFacts then, int shared)
        => Enumerable.Range(1, shared).Any(frame =>
            now.Frames[^frame] is { Locals: { } locals, Content: { } content } one
            && then.Frames[^frame] is { Locals: { } localsThen, Content: { } contentThen } other
            && one.Ip == other.Ip && (locals != localsThen || content != contentThen));

    // How many frames, from the outermost on, are the same in all.
    private static int Shared(WorkFacts[] all, Func<WorkFrame, WorkFrame, bool> isSame)
    {
        int count = 0;
        while (Array.TrueForAll(all, work => count < work.Frames.Count && isSame(work.Frames[^(count + 1)], all[0].Frames[^(count + 1)])))
        {
            count++;
        }

        return count;
    }

    // It is in the same call, and nothing that it works with has changed.
    private static bool IsSame(WorkFrame one, WorkFrame other)
        => !one.IsInnermost && !other.IsInnermost && one.Method == other.Method && one.Ip == other.Ip
            && one.Locals is { } locals && locals == other.Locals && one.Content is { } content && content == other.Content;

    // What is carried from round to round differs each time; what only lives within one has a value or two, over and over.
    private static bool GoesRound(WorkFrame[] frames)
    {
        if (!Array.TrueForAll(frames, frame => frame.Method == frames[0].Method
            && frame is { Locals: { } locals, Content: { } content, Registers: not null }
            && locals == frames[0].Locals && content == frames[0].Content && frame.Registers.Count == frames[0].Registers!.Count))
        {
            return false;
        }

        return frames.Any(frame =>
                frames.Any(other => frame != other && frame.Ip == other.Ip && frame.Registers!.SequenceEqual(other.Registers!)))
            || (frames.Length >= Thresholds.SamplesOfRound
                && Enumerable.Range(0, frames[0].Registers!.Count).All(register =>
                    frames.Select(frame => frame.Registers![register]).Distinct().Count() <= Thresholds.ValuesOfRound));
    }

    // The loop around the calls in which it throws: those in between go on in no loop of their own, so each throw is another round.
    private static WorkFrame? Thrower(WorkFacts[] all, int same)
    {
        if (all.Count(work => work.IsThrowing) < 2 || same == 0)
        {
            return null;
        }

        WorkFrame loop = all[0].Frames[^same];
        return loop is { Loop: { IsBounded: false }, IsInnermost: false }
            && all.Where(work => work.IsThrowing)
                .SelectMany(work => work.Frames.Take(work.Frames.Count - same))
                .All(frame => frame is { Loop: null or { Catches: false }, IsPlaceKnown: true, IsCalledByProgram: true })
                ? loop
                : null;
    }
}
