namespace HangTriage.Capture.Live;

/// <summary>Memory of a process that is read after it has continued, a page at a time, each once.</summary>
/// <param name="read">Reads it.</param>
internal sealed class LivePages(ReadProcess read)
{
    public const ulong PageSize = 4096;

    private const int Size = (int)PageSize;
    private const int MostPages = 1 << 15;

    // The walk of a heap asks for megabytes at a time, once.
    private const int LargeRead = 16 * Size;

    private readonly Dictionary<ulong, byte[]> _pages = [];

    /// <summary>Bytes that were read, those of a page once.</summary>
    public long Bytes { get; private set; }

    /// <returns>Bytes read; fewer than asked for where the rest cannot be read.</returns>
    public int Read(ulong address, Span<byte> buffer)
    {
        if (buffer.Length >= LargeRead)
        {
            int much = read(address, buffer);
            Bytes += much;
            Keep(address, buffer[..much]);
            return much;
        }

        int done = 0;
        while (done < buffer.Length && PageAt((address + (uint)done) / Size) is { Length: > 0 } page)
        {
            int offset = (int)((address + (uint)done) % Size);
            int more = Math.Min(buffer.Length - done, Size - offset);
            page.AsSpan(offset, more).CopyTo(buffer[done..]);
            done += more;
        }

        return done;
    }

    /// <summary>Reads what is kept once more: how much of it has changed since, or is gone.</summary>
    /// <returns>Pages that have changed, of how many.</returns>
    public (int Changed, int Compared) Compare()
    {
        int changed = 0;
        byte[] now = new byte[Size];
        foreach ((ulong page, byte[] then) in _pages.Where(pair => pair.Value.Length > 0))
        {
            changed += read(page * Size, now) == Size && now.AsSpan().SequenceEqual(then) ? 0 : 1;
        }

        return (changed, _pages.Count);
    }

    private byte[] PageAt(ulong page)
    {
        if (_pages.TryGetValue(page, out byte[]? known))
        {
            return known;
        }

        byte[] bytes = new byte[Size];
        int count = read(page * Size, bytes);
        bytes = count == Size ? bytes : [];
        Bytes += count;
        if (_pages.Count < MostPages)
        {
            _pages.Add(page, bytes);
        }

        return bytes;
    }

    // Of a large read its first whole page stands for the others.
    private void Keep(ulong address, ReadOnlySpan<byte> bytes)
    {
        ulong page = (address + Size - 1) / Size;
        int skip = (int)((page * Size) - address);
        if (bytes.Length >= skip + Size && _pages.Count < MostPages)
        {
            _pages.TryAdd(page, bytes.Slice(skip, Size).ToArray());
        }
    }
}
