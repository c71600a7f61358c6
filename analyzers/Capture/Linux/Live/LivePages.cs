namespace HangTriage.Capture.Linux.Live;

/// <summary>Memory of a process that is read after it has continued, a page at a time, each once.</summary>
/// <param name="process">Its id.</param>
internal sealed class LivePages(int process)
{
    private const int Size = (int)PageTable.PageSize;
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
            int much = RemoteMemory.Read(process, address, buffer);
            Bytes += much;
            Keep(address, buffer[..much]);
            return much;
        }

        int read = 0;
        while (read < buffer.Length && PageAt((address + (uint)read) / Size) is { Length: > 0 } page)
        {
            int offset = (int)((address + (uint)read) % Size);
            int more = Math.Min(buffer.Length - read, Size - offset);
            page.AsSpan(offset, more).CopyTo(buffer[read..]);
            read += more;
        }

        return read;
    }

    /// <summary>Reads what is kept once more: how much of it has changed since, or is gone.</summary>
    /// <returns>Pages that have changed, of how many.</returns>
    public (int Changed, int Compared) Compare()
    {
        int changed = 0;
        byte[] now = new byte[Size];
        foreach ((ulong page, byte[] then) in _pages.Where(pair => pair.Value.Length > 0))
        {
            changed += RemoteMemory.Read(process, page * Size, now) == Size && now.AsSpan().SequenceEqual(then) ? 0 : 1;
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
        int read = RemoteMemory.Read(process, page * Size, bytes);
        bytes = read == Size ? bytes : [];
        Bytes += read;
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
