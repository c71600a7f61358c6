using System.Buffers.Binary;
using HangTriage.Tests.Support.Synthetic.Traces;

namespace HangTriage.Benchmarks;

/// <summary>
/// Writes an .etl file of 10 million context switches, with as many readied threads and samples: 1 GB in buffers of 64 KB. On
/// each processor threads take turns; the one that leaves readies the next and waits.
/// </summary>
internal sealed class BigTrace
{
    public const int Switches = 10_000_000;

    private const int Processors = 8;
    private const int ThreadsPerProcessor = 50;
    private const uint Pid = 100;
    private const int BufferSize = 65_536;
    private const int HeaderLength = 0x48;

    // Where the log file's header counts its buffers: behind the buffer's header, the event's, and 36 bytes.
    private const int BuffersWritten = HeaderLength + 32 + 36;

    private readonly byte[][] _buffers = [.. Enumerable.Range(0, Processors).Select(_ => new byte[BufferSize])];
    private readonly int[] _ends = [.. Enumerable.Repeat(HeaderLength, Processors)];
    private readonly Stream _file;
    private readonly bool _isCompressed;
    private int _written;

    private BigTrace(Stream file, bool isCompressed)
    {
        _file = file;
        _isCompressed = isCompressed;
    }

    public static void Write(string path, bool isCompressed)
    {
        SyntheticTrace settings = new() { Processors = Processors, BufferSize = BufferSize };
        byte[] head = settings.Build()[..BufferSize];
        using FileStream file = File.Create(path);
        file.Write(head);
        BigTrace trace = new(file, isCompressed);
        trace.WriteEvents(settings.FirstTick);
        BinaryPrimitives.WriteInt32LittleEndian(head.AsSpan(BuffersWritten), trace._written + 1);
        file.Position = 0;
        file.Write(head);
    }

    private void WriteEvents(long tick)
    {
        Span<byte> payload = stackalloc byte[24];
        for (int i = 0; i < Switches; i++)
        {
            int processor = i % Processors;
            int turn = i / Processors % ThreadsPerProcessor;
            uint old = Tid(processor, turn);
            uint next = Tid(processor, (turn + 1) % ThreadsPerProcessor);
            payload.Clear();
            BinaryPrimitives.WriteUInt64LittleEndian(payload, 0x7FF6_0000_0000 + (ulong)(i % 500));
            BinaryPrimitives.WriteUInt32LittleEndian(payload[8..], old);
            payload[12] = 1;
            Add(processor, ++tick, 0xF2E, payload[..16]);
            payload.Clear();
            BinaryPrimitives.WriteUInt32LittleEndian(payload, next);
            Add(processor, ++tick, 0x532, payload[..8]);
            payload.Clear();
            BinaryPrimitives.WriteUInt32LittleEndian(payload, next);
            BinaryPrimitives.WriteUInt32LittleEndian(payload[4..], old);
            (payload[8], payload[9], payload[12], payload[13], payload[14]) = (8, 8, 6, 1, 5);
            Add(processor, tick += 20, 0x524, payload);
        }

        Span<byte> thread = stackalloc byte[88];
        for (int processor = 0; processor < Processors; processor++)
        {
            for (int turn = 0; turn < ThreadsPerProcessor; turn++)
            {
                thread.Clear();
                BinaryPrimitives.WriteUInt32LittleEndian(thread, Pid);
                BinaryPrimitives.WriteUInt32LittleEndian(thread[4..], Tid(processor, turn));
                Add(processor, ++tick, 0x504, thread);
            }

            Flush(processor);
        }
    }

    private static uint Tid(int processor, int turn) => (uint)(1000 + (processor * 100) + turn);

    // A header of the type 17: size, hook and time.
    private void Add(int processor, long tick, ushort hook, ReadOnlySpan<byte> payload)
    {
        const int EventHeader = 16;
        int length = (EventHeader + payload.Length + 7) / 8 * 8;
        if (_ends[processor] + length > BufferSize)
        {
            Flush(processor);
        }

        Span<byte> place = _buffers[processor].AsSpan(_ends[processor], length);
        place.Clear();
        (place[0], place[2], place[3]) = (2, 17, 0xC0);
        BinaryPrimitives.WriteUInt16LittleEndian(place[4..], (ushort)(EventHeader + payload.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(place[6..], hook);
        BinaryPrimitives.WriteInt64LittleEndian(place[8..], tick);
        payload.CopyTo(place[EventHeader..]);
        _ends[processor] += length;
    }

    private void Flush(int processor)
    {
        byte[] buffer = _buffers[processor];
        int end = _ends[processor];
        byte[] packed = _isCompressed ? PlainLz77.Pack(buffer.AsSpan(HeaderLength, end - HeaderLength)) : [];
        int size = _isCompressed ? HeaderLength + packed.Length : BufferSize;
        Span<byte> header = buffer.AsSpan(0, HeaderLength);
        header.Clear();
        BinaryPrimitives.WriteInt32LittleEndian(header, size);
        BinaryPrimitives.WriteInt32LittleEndian(header[4..], end);
        BinaryPrimitives.WriteInt32LittleEndian(header[8..], end);
        BinaryPrimitives.WriteInt64LittleEndian(header[24..], ++_written);
        header[40] = (byte)processor;
        header[44] = 3;
        BinaryPrimitives.WriteInt32LittleEndian(header[48..], end);
        header[52] = (byte)(0x20 | (_isCompressed ? 0x40 : 0));
        buffer.AsSpan(end).Fill(0xFF);
        if (_isCompressed)
        {
            _file.Write(header);
            _file.Write(packed);
        }
        else
        {
            _file.Write(buffer);
        }

        _ends[processor] = HeaderLength;
    }
}
