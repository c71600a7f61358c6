namespace HangTriage.Traces.Timeline;

/// <summary>Named ranges of addresses. Of two that begin at one address the later counts.</summary>
internal sealed class PieceList
{
    private readonly List<Piece> _pieces = [];
    private bool _isSorted = true;

    public int Count => _pieces.Count;

    public void Add(ulong start, ulong size, string name)
    {
        _pieces.Add(new Piece(start, size, name, _pieces.Count));
        _isSorted = false;
    }

    /// <summary>The name of the range that holds an address, and how far into it the address is; null where none holds it.</summary>
    public (string Name, ulong Offset)? Find(ulong ip)
    {
        Sort();
        int low = 0;
        int high = _pieces.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = _pieces[middle].Start <= ip ? (middle + 1, high) : (low, middle);
        }

        return low > 0 && _pieces[low - 1] is { } piece && ip - piece.Start < piece.Size ? (piece.Name, ip - piece.Start) : null;
    }

    private void Sort()
    {
        if (!_isSorted)
        {
            _pieces.Sort(static (left, right) => left.Start != right.Start ? left.Start.CompareTo(right.Start) : left.Order.CompareTo(right.Order));
            _isSorted = true;
        }
    }

    private readonly record struct Piece(ulong Start, ulong Size, string Name, int Order);
}
