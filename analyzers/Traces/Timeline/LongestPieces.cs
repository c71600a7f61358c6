using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>The longest times of a thread in each state.</summary>
internal sealed class LongestPieces
{
    /// <summary>Of one state. A report draws some dozens of bars.</summary>
    private const int Most = 8;

    /// <summary>In steps of 100 ns (1 ms): shorter ones are not seen in any drawing.</summary>
    public const long Least = TimeSpan.TicksPerMillisecond;

    private readonly List<TracePiece>?[] _byState = new List<TracePiece>?[(int)TraceThreadState.Ended];

    public IReadOnlyList<TracePiece> InOrder => [.. _byState.OfType<List<TracePiece>>().SelectMany(pieces => pieces).OrderBy(piece => piece.From)];

    public void Add(TraceThreadState state, long from, long length)
    {
        if ((int)state >= _byState.Length)
        {
            return;
        }

        List<TracePiece> pieces = _byState[(int)state] ??= [];
        if (pieces.Count < Most)
        {
            pieces.Add(new TracePiece(state, new TimeSpan(from), new TimeSpan(length)));
            return;
        }

        int shortest = 0;
        for (int i = 1; i < pieces.Count; i++)
        {
            shortest = pieces[i].Length < pieces[shortest].Length ? i : shortest;
        }

        if (length > pieces[shortest].Length.Ticks)
        {
            pieces[shortest] = new TracePiece(state, new TimeSpan(from), new TimeSpan(length));
        }
    }
}
