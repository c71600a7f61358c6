namespace HangTriage.Traces.Timeline;

/// <summary>Threads by id: ids are small numbers, which lie in pages of an array; what they lack room for is in a dictionary.</summary>
internal sealed class ThreadIds
{
    private const int PageBits = 8;
    private const int PageSize = 1 << PageBits;

    /// <summary>Ids up to a million.</summary>
    private const int MostPages = 4096;

    private readonly ThreadLine?[]?[] _pages = new ThreadLine?[MostPages][];
    private readonly Dictionary<uint, ThreadLine> _others = [];

    public ThreadLine? Find(uint tid)
    {
        uint page = tid >> PageBits;
        return page < (uint)_pages.Length ? _pages[page]?[tid & (PageSize - 1)] : _others.GetValueOrDefault(tid);
    }

    public void Set(uint tid, ThreadLine line)
    {
        uint page = tid >> PageBits;
        if (page < (uint)_pages.Length)
        {
            (_pages[page] ??= new ThreadLine?[PageSize])[tid & (PageSize - 1)] = line;
        }
        else
        {
            _others[tid] = line;
        }
    }
}
