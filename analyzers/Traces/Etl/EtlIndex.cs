using HangTriage.Facts;

namespace HangTriage.Traces.Etl;

/// <summary>
/// Where a file's buffers are and when each begins. Buffers lie in the order in which they were flushed; what is read is
/// their headers and first events alone.
/// </summary>
internal sealed class EtlIndex
{
    /// <summary>As much of a packed buffer as its first event's header needs, in bytes: the flags of 32 bytes, then these.</summary>
    private const int HeadBytes = EtlBufferHeader.Length + 64;

    private readonly EtlSource _source;
    private readonly TraceContext _context;
    private readonly List<EtlPlace> _places = [];
    private readonly List<Gap> _gaps = [];
    private int _damaged;

    private EtlIndex(EtlSource source, TraceContext context)
    {
        _source = source;
        _context = context;
    }

    /// <summary>In the order of their first events.</summary>
    public IReadOnlyList<EtlPlace> Places => _places;

    public IReadOnlyList<Gap> Gaps => _gaps;

    public static EtlIndex Read(EtlSource source, EtlLogHeader log, TraceContext context)
    {
        EtlIndex index = new(source, context);
        index.Scan(log);
        index._places.Sort(static (left, right) => left.First != right.First ? left.First.CompareTo(right.First) : left.Offset.CompareTo(right.Offset));
        return index;
    }

    private void Scan(EtlLogHeader log)
    {
        byte[] head = new byte[HeadBytes];
        long offset = 0;
        while (offset + EtlBufferHeader.Length <= _source.Length)
        {
            _context.Cancellation.ThrowIfCancellationRequested();
            if (_places.Count >= _context.Limits.Buffers)
            {
                _gaps.Add(new Gap("rest of the trace", $"the file has more than {_context.Limits.Buffers} buffers") { IsLoss = true });
                break;
            }

            int read = _source.Read(offset, head);
            EtlBufferHeader header = EtlBufferHeader.Read(head);
            if (!IsSound(header))
            {
                if (Skip(log, ref offset))
                {
                    continue;
                }

                break;
            }

            Add(offset, header, head.AsSpan(0, read));
            offset += header.Size;
        }

        Describe(offset);
    }

    private bool IsSound(EtlBufferHeader header)
        => header.Size >= EtlBufferHeader.Length && header.Size <= _context.Limits.BufferBytes && header.End <= _context.Limits.BufferBytes
            && (header.IsCompressed || header.End <= header.Size);

    /// <summary>Goes to where the next buffer must be: buffers of a session have one size unless they are compressed.</summary>
    private bool Skip(EtlLogHeader log, ref long offset)
    {
        _damaged++;
        bool isKnown = log.BufferSize >= EtlBufferHeader.Length && log.BufferSize <= _context.Limits.BufferBytes && !_places.Exists(place => place.Header.IsCompressed);
        if (!isKnown || _damaged > _context.Limits.Buffers)
        {
            _gaps.Add(new Gap("rest of the trace", $"the buffer at offset {offset} of {_source.Length} is damaged, and where the next one begins is unknown") { IsLoss = true });
            return false;
        }

        offset += log.BufferSize - (offset % log.BufferSize);
        return true;
    }

    private void Add(long offset, EtlBufferHeader header, ReadOnlySpan<byte> head)
    {
        int available = (int)Math.Min(header.Size, _source.Length - offset);
        if (available < header.Size)
        {
            _gaps.Add(new Gap("end of the trace", $"the file ends {available} bytes into a buffer of {header.Size}") { IsLoss = true });
        }

        if (header.End <= EtlBufferHeader.Length)
        {
            return;
        }

        byte[] first = new byte[EtlEventReader.HeadLength];
        ReadOnlySpan<byte> events = head[EtlBufferHeader.Length..];
        if (header.IsCompressed)
        {
            int unpacked = Xpress.Unpack(events, first);
            events = unpacked < 0 ? default : first.AsSpan(0, unpacked);
        }

        if (EtlEventReader.TryMeasure(events, out _, out long time))
        {
            _places.Add(new EtlPlace(offset, time, header, available));
        }
        else if (!IsBlank(events))
        {
            _damaged++;
        }
    }

    private static bool IsBlank(ReadOnlySpan<byte> events) => events.IsEmpty || !events.ContainsAnyExcept((byte)0) || !events.ContainsAnyExcept((byte)0xFF);

    private void Describe(long end)
    {
        if (_damaged > 0)
        {
            _gaps.Add(new Gap("damaged buffers", $"{_damaged} buffers of the trace begin with no event and are left out") { IsLoss = true });
        }

        if (end < _source.Length && _source.Length - end < EtlBufferHeader.Length)
        {
            _gaps.Add(new Gap("end of the trace", $"the file ends with {_source.Length - end} bytes of a buffer's header"));
        }
    }
}
