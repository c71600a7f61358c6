using HangTriage.Facts;

namespace HangTriage.Rules.Time;

/// <summary>
/// Finds a loop that comes back to where it was: a round has passed between two samples, and all that decides how it continues is the same.
/// Nothing outside can change its course, so it goes round for ever.
/// </summary>
internal static class WorkRounds
{
    /// <param name="samples">A thread in each of the samples, the latest first.</param>
    /// <param name="hasRunEachTime">It has used the processor from each sample to the next.</param>
    /// <returns>The frame of the loop as it is now; null where none is known to come back.</returns>
    public static WorkFrame? Repeating(IReadOnlyList<WorkFacts> samples, bool hasRunEachTime)
    {
        for (int depth = 1; samples.All(work => work.Frames.Count >= depth); depth++)
        {
            WorkFrame[] frames = [.. samples.Select(work => work.Frames[^depth]).Reverse()];
            if (!Array.TrueForAll(frames, frame => frame.Method == frames[0].Method))
            {
                return null;
            }

            if (frames[0].Rounds is { } loops && loops.Any(loop => Repeats(frames, loop.Start, hasRunEachTime)))
            {
                return frames[^1];
            }

            // Whoever called the frames further in is in the same call all the while.
            if (!Array.TrueForAll(frames, frame
                => frame.Ip == frames[0].Ip && frame.Outline is { } outline && outline == frames[0].Outline))
            {
                return null;
            }
        }

        return null;
    }

    private static bool Repeats(WorkFrame[] frames, Address loop, bool hasRunEachTime)
    {
        WorkRound?[] found = [.. frames.Select(frame => frame.Rounds?.FirstOrDefault(round => round.Start == loop))];
        if (!Array.TrueForAll(found, round => round is not null))
        {
            return false;
        }

        WorkRound[] rounds = found!;
        return HandsOnTheSame(rounds)
            || Enumerable.Range(0, rounds.Length).Any(first => Enumerable.Range(first + 1, rounds.Length - first - 1).Any(last =>
                frames[first].Ip == frames[last].Ip && rounds[first].State is { } state && state == rounds[last].State
                && ((frames[first].IsInnermost && frames[last].IsInnermost && hasRunEachTime) || HasPassed(rounds, first, last))));
    }

    // What it hands on is set anew somewhere in the round: before that place it is one value, behind it another, in round after round.
    private static bool HandsOnTheSame(WorkRound[] rounds)
    {
        if (rounds.Length < Thresholds.SamplesOfRound || Array.Exists(rounds, round => round.Carried is null))
        {
            return false;
        }

        int again = 0;
        foreach (IGrouping<string, int> same in Enumerable.Range(0, rounds.Length).GroupBy(index => rounds[index].Carried!))
        {
            int first = same.Min(index => rounds[index].Place);
            int last = same.Max(index => rounds[index].Place);
            if (Array.Exists(rounds, round => round.Carried != same.Key && round.Place >= first && round.Place <= last))
            {
                return false;
            }

            again += HasPassed(rounds, same.First(), same.Last()) ? same.Count() : 0;
        }

        return again >= Thresholds.SamplesOfRound;
    }

    // It is further up than it was, or a count of it has changed while it is in the same place.
    private static bool HasPassed(WorkRound[] rounds, int first, int last)
    {
        for (int index = first; index <= last; index++)
        {
            for (int next = index + 1; next <= last; next++)
            {
                if (rounds[next].Place < rounds[index].Place
                    || (rounds[next].Place == rounds[index].Place && rounds[next].Counts is { } counts
                        && rounds[index].Counts is { } before && counts != before))
                {
                    return true;
                }
            }
        }

        return false;
    }
}
