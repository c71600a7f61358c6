namespace HangTriage.Tests.Support.Synthetic.Traces;

/// <summary>Puts events into buffers, and buffers into a file.</summary>
internal static class TraceBuffers
{
    private const int HeaderLength = 0x48;

    public static byte[] Build(SyntheticTrace trace, IReadOnlyList<(long Time, int Processor, byte[] Bytes)> events)
    {
        List<(long Full, int Processor, byte[] Content)> buffers = [];
        foreach (IGrouping<int, (long Time, int Processor, byte[] Bytes)> processor in events.GroupBy(e => e.Processor))
        {
            List<byte> content = [];
            long last = 0;
            foreach ((long time, _, byte[] bytes) in processor)
            {
                byte[] padded = new byte[(bytes.Length + 7) / 8 * 8];
                bytes.CopyTo(padded, 0);
                if (content.Count + padded.Length > trace.BufferSize - HeaderLength)
                {
                    buffers.Add((last, processor.Key, [.. content]));
                    content.Clear();
                }

                content.AddRange(padded);
                last = time;
            }

            buffers.Add((last, processor.Key, [.. content]));
        }

        (long Full, int Processor, byte[] Content)[] order = [.. buffers.OrderBy(buffer => buffer.Full)];
        if (trace.Shuffle is { } seed)
        {
            new Random(seed).Shuffle(order);
        }

        byte[] header = LogHeader(trace, order.Length + 1);
        using MemoryStream file = new();
        file.Write(Buffer(trace, header, 0, 0, type: 4, isCompressed: false));
        for (int i = 0; i < order.Length; i++)
        {
            file.Write(Buffer(trace, order[i].Content, order[i].Processor, i + 1, type: 0, trace.IsCompressed));
        }

        return file.ToArray();
    }

    /// <summary>A kernel event with SYSTEM_TRACE_HEADER.</summary>
    public static byte[] System(bool is64, long time, int hook, byte version, uint pid, uint tid, byte[] payload) => SyntheticTrace.Bytes(w =>
    {
        w.Write((ushort)version);
        w.Write([(byte)(is64 ? 2 : 1), 0xC0]);
        w.Write((ushort)(32 + payload.Length));
        w.Write((ushort)hook);
        w.Write(tid);
        w.Write(pid);
        w.Write(time);
        w.Write(0u);
        w.Write(0u);
        w.Write(payload);
    });

    /// <summary>WMI_BUFFER_HEADER and the events behind it.</summary>
    private static byte[] Buffer(SyntheticTrace trace, byte[] content, int processor, int sequence, ushort type, bool isCompressed)
    {
        byte[] stored = isCompressed ? PlainLz77.Pack(content) : content;
        int size = isCompressed ? HeaderLength + stored.Length : trace.BufferSize;
        byte[] buffer = SyntheticTrace.Bytes(w =>
        {
            w.Write(size);
            w.Write(HeaderLength + content.Length);
            w.Write(HeaderLength + content.Length);
            w.Write(0);
            w.Write(0L);
            w.Write((long)sequence);
            w.Write(0L);
            w.Write((ushort)processor);
            w.Write((ushort)0);
            w.Write(3);
            w.Write(HeaderLength + content.Length);
            w.Write((ushort)(0x20 | (isCompressed ? 0x40 : 0)));
            w.Write(type);
            w.Write(new byte[HeaderLength - 0x38]);
            w.Write(stored);
        });

        byte[] whole = new byte[size];
        Array.Fill(whole, (byte)0xFF);
        buffer.CopyTo(whole, 0);
        return whole;
    }

    /// <summary>TRACE_LOGFILE_HEADER as the first event.</summary>
    private static byte[] LogHeader(SyntheticTrace trace, int buffers) => System(trace.Is64, trace.FirstTick, 0, 2, 4, 8, SyntheticTrace.Bytes(w =>
    {
        w.Write(trace.BufferSize);
        w.Write(0x05010006);
        w.Write(22631);
        w.Write(trace.Processors);
        w.Write(trace.IsOpen ? 0 : trace.Start.AddMinutes(10).ToFileTime());
        w.Write(156_250);
        w.Write(0);
        w.Write(1);
        w.Write(trace.IsOpen ? 0 : buffers);
        w.Write(1);
        w.Write(trace.Is64 ? 8 : 4);
        w.Write(trace.LostEvents);
        w.Write(3000);
        w.Write(new byte[(trace.Is64 ? 0xF8 : 0xF0) - 0x38]);
        w.Write(0L);
        w.Write(trace.Frequency);
        w.Write(trace.Start.ToFileTime());
        w.Write(1);
        w.Write(trace.LostBuffers);
    }));
}
