using HangTriage.Capture.Live;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Memory of a process, copied while it stood still.</summary>
/// <param name="size">As many bytes as it can hold.</param>
internal sealed unsafe class MemoryCopy(ulong size) : IDisposable
{
    // A piece takes about a millisecond, so that the time is looked at often enough.
    private const ulong PieceSize = 4UL << 20;

    private readonly CopyBuffer _buffer = new(size);
    private readonly SystemCalls.MemoryRange[] _batch = new SystemCalls.MemoryRange[SystemCalls.RangesAtOnce];

    /// <summary>Bytes that were copied.</summary>
    public ulong Size => _buffer.Used;

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
    public void Close() => _buffer.Close();

    /// <returns>Bytes that it has from the address on; 0 where it has none.</returns>
    public int Read(ulong address, Span<byte> buffer) => _buffer.Read(address, buffer);

    public void Dispose() => _buffer.Dispose();

    private int Fill(IReadOnlyList<SystemCalls.MemoryRange> ranges, ref int next, ref ulong within)
    {
        int count = 0;
        ulong room = Math.Min(PieceSize, _buffer.Room);
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

            ulong read = RemoteMemory.Read(process, batch, _buffer.Next, wanted);
            while (batch.Length > 0 && read >= batch[0].Length)
            {
                _buffer.Add(batch[0].Start, batch[0].Length);
                read -= batch[0].Length;
                batch = batch[1..];
            }

            if (batch.Length > 0)
            {
                _buffer.Add(batch[0].Start, read);
                batch = batch[1..];
            }
        }
    }
}
