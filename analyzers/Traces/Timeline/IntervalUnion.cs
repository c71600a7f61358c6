namespace HangTriage.Traces.Timeline;

/// <summary>Sums intervals so that what several of them cover counts once. They come in the order of their ends.</summary>
internal sealed class IntervalUnion
{
    /// <summary>Gaps that are remembered; an interval that reaches back over more of them counts what it covers of the rest twice.</summary>
    private const int MostPieces = 1024;

    private readonly List<(long From, long To)> _pieces = [];
    private long _sealed;

    public long Count { get; private set; }

    public long Longest { get; private set; }

    public long Time => _sealed + _pieces.Sum(piece => piece.To - piece.From);

    public void Add(long from, long to)
    {
        Count++;
        Longest = Math.Max(Longest, to - from);
        while (_pieces.Count > 0 && _pieces[^1].To >= from)
        {
            from = Math.Min(from, _pieces[^1].From);
            to = Math.Max(to, _pieces[^1].To);
            _pieces.RemoveAt(_pieces.Count - 1);
        }

        _pieces.Add((from, to));
        if (_pieces.Count > MostPieces)
        {
            _sealed += _pieces[0].To - _pieces[0].From;
            _pieces.RemoveAt(0);
        }
    }
}
