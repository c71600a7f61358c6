using System.Runtime.InteropServices;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Memory of a process, copied while it stood still.</summary>
internal sealed unsafe class MemoryCopy : IDisposable
{
    // A piece takes about a millisecond, so that the time is looked at often enough.
    private const ulong PieceSize = 4UL << 20;

    private readonly byte* _buffer;
    private readonly ulong _size;
    private readonly List<Piece> _pieces = [];
    private readonly SystemCalls.MemoryRange[] _batch = new SystemCalls.MemoryRange[SystemCalls.RangesAtOnce];
    private ulong _used;

    /// <param name="size">As many bytes as it can hold. All are touched here, so that no copy has to wait for memory.</param>
    public MemoryCopy(ulong size)
    {
        _size = Math.Max(size, PageTable.PageSize);
        _buffer = (byte*)NativeMemory.Alloc((nuint)_size);
        for (ulong at = 0; at < _size; at += PageTable.PageSize)
        {
            _buffer[at] = 0;
        }
    }

    /// <summary>Bytes that were copied.</summary>
    public ulong Size => _used;

    /// <summary>Copies ranges until the time is up.</summary>
    /// <param name="process">Whose.</param>
    /// <param name="ranges">In the order of their addresses.</param>
    /// <param name="clock">How long it may take.</param>
    /// <param name="leftOut">Gets what there was no time or room for.</param>
    public void Add(int process, IReadOnlyList<SystemCalls.MemoryRange> ranges, StopClock clock, List<SystemCalls.MemoryRange> leftOut)
    {
        int next = 0;
        ulong within = 0;
        while (next < ranges.Count)
        {
            (int first, ulong firstWithin) = (next, within);
            int count = Fill(ranges, ref next, ref within);
            if (count == 0 || clock.IsTimeUp)
            {
                leftOut.Add(new SystemCalls.MemoryRange { Start = ranges[first].Start + firstWithin, Length = ranges[first].Length - firstWithin });
                leftOut.AddRange(ranges.Skip(first + 1));
                return;
            }

            Copy(process, _batch.AsSpan(0, count));
        }
    }

    /// <summary>Nothing more is added; from now on it can be read.</summary>
    public void Close() => _pieces.Sort((one, other) => one.Start.CompareTo(other.Start));

    /// <returns>Bytes that it has from the address on; 0 where it has none.</returns>
    public int Read(ulong address, Span<byte> buffer)
    {
        int low = 0;
        int high = _pieces.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) >> 1;
            Piece piece = _pieces[middle];
            if (address < piece.Start)
            {
                high = middle - 1;
            }
            else if (address - piece.Start >= piece.Length)
            {
                low = middle + 1;
            }
            else
            {
                ulong offset = address - piece.Start;
                int there = (int)Math.Min((ulong)buffer.Length, piece.Length - offset);
                new ReadOnlySpan<byte>(_buffer + piece.Offset + offset, there).CopyTo(buffer);
                return there;
            }
        }

        return 0;
    }

    public void Dispose() => NativeMemory.Free(_buffer);

    private int Fill(IReadOnlyList<SystemCalls.MemoryRange> ranges, ref int next, ref ulong within)
    {
        int count = 0;
        ulong room = Math.Min(PieceSize, _size - _used);
        while (next < ranges.Count && count < _batch.Length && room > 0)
        {
            ulong length = Math.Min(ranges[next].Length - within, room);
            _batch[count++] = new SystemCalls.MemoryRange { Start = ranges[next].Start + within, Length = length };
            room -= length;
            within += length;
            if (within == ranges[next].Length)
            {
                next++;
                within = 0;
            }
        }

        return count;
    }

    // What was unmapped meanwhile, or cannot be read at all, is passed over.
    private void Copy(int process, ReadOnlySpan<SystemCalls.MemoryRange> batch)
    {
        while (batch.Length > 0)
        {
            ulong wanted = 0;
            foreach (SystemCalls.MemoryRange range in batch)
            {
                wanted += range.Length;
            }

            ulong read = RemoteMemory.Read(process, batch, _buffer + _used, wanted);
            while (batch.Length > 0 && read >= batch[0].Length)
            {
                Add(batch[0].Start, batch[0].Length);
                read -= batch[0].Length;
                batch = batch[1..];
            }

            if (batch.Length > 0)
            {
                Add(batch[0].Start, read);
                batch = batch[1..];
            }
        }
    }

    private void Add(ulong start, ulong length)
    {
        if (length == 0)
        {
            return;
        }

        if (_pieces.Count > 0 && _pieces[^1] is var last && last.Start + last.Length == start && last.Offset + last.Length == _used)
        {
            _pieces[^1] = last with { Length = last.Length + length };
        }
        else
        {
            _pieces.Add(new Piece(start, length, _used));
        }

        _used += length;
    }

    private readonly record struct Piece(ulong Start, ulong Length, ulong Offset);
}
