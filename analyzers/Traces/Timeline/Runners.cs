using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>Who ran while a thread was ready.</summary>
internal static class Runners
{
    public static TraceRunners Of(IReadOnlyList<ThreadLine> threads, ThreadLine ready, bool hasRanks)
    {
        int count = 0;
        int lower = 0;
        (int Low, int High) priority = (int.MaxValue, int.MinValue);
        (int Low, int High) rank = (int.MaxValue, int.MinValue);
        foreach (ThreadLine line in threads)
        {
            if (ReferenceEquals(line, ready) || !line.RanSince(ready.Since) || line.Priority is not { } itsPriority)
            {
                continue;
            }

            count++;
            lower += itsPriority < ready.Priority ? 1 : 0;
            priority = (Math.Min(priority.Low, itsPriority), Math.Max(priority.High, itsPriority));
            if (line.Rank is { } itsRank)
            {
                rank = (Math.Min(rank.Low, itsRank), Math.Max(rank.High, itsRank));
            }
        }

        Gap none = new("ranks", hasRanks ? "no thread that ran was switched out before" : RankGap);
        bool isKnown = hasRanks && rank.Low <= rank.High;
        return new TraceRunners(
            count, lower, count == 0 ? 0 : priority.Low, count == 0 ? 0 : priority.High,
            isKnown ? Known.Read(rank.Low) : Known<int>.Unknown(none), isKnown ? Known.Read(rank.High) : Known<int>.Unknown(none));
    }

    /// <summary>Why no rank is known in a trace in which all are 0.</summary>
    public const string RankGap = "no thread of the trace has a rank other than 0: ranks are not recorded, or no thread has one";
}
