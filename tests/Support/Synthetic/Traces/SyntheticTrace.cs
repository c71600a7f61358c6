using System.Text;

namespace HangTriage.Tests.Support.Synthetic.Traces;

/// <summary>
/// Writes .etl files: each processor's events into buffers of its own, which lie in the file in the order in which they are
/// full. Layouts from the public headers and event classes; no code is shared with the reader.
/// </summary>
public sealed class SyntheticTrace
{
    private readonly List<(long Time, int Processor, byte[] Bytes)> _events = [];

    public int Processors { get; init; } = 2;

    public bool Is64 { get; init; } = true;

    public bool IsCompressed { get; init; }

    /// <summary>Ticks of the clock in a second.</summary>
    public long Frequency { get; init; } = 10_000_000;

    /// <summary>World time of the clock's <see cref="FirstTick"/>.</summary>
    public DateTimeOffset Start { get; init; } = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    /// <summary>The clock at the session's start.</summary>
    public long FirstTick { get; init; } = 5_000_000_000;

    public int BufferSize { get; init; } = 4096;

    public uint LostEvents { get; init; }

    public uint LostBuffers { get; init; }

    /// <summary>The recording continues: no end time, no count of buffers.</summary>
    public bool IsOpen { get; init; }

    /// <summary>Puts the buffers behind the first in an order that the seed decides.</summary>
    public int? Shuffle { get; init; }

    private int Pointer => Is64 ? 8 : 4;

    /// <summary>A whole event, header and payload, at a time since the session's start in ticks.</summary>
    public SyntheticTrace Raw(long time, int processor, byte[] bytes)
    {
        _events.Add((time, processor, bytes));
        return this;
    }

    public SyntheticTrace Switch(long time, int processor, uint newTid, uint oldTid, int newPriority = 8, int oldPriority = 8, byte rank = 0, byte reason = 6, byte state = 5)
        => Fast(time, processor, 0x524, Bytes(w =>
        {
            w.Write(newTid);
            w.Write(oldTid);
            w.Write([(byte)newPriority, (byte)oldPriority, rank, 0, reason, 1, state, 0]);
            w.Write(0u);
            w.Write(0u);
        }));

    public SyntheticTrace Ready(long time, int processor, uint tid, byte flags = 0) => Fast(time, processor, 0x532, [.. BitConverter.GetBytes(tid), 0, 0, flags, 0]);

    public SyntheticTrace Sample(long time, int processor, uint tid, ulong ip) => Fast(time, processor, 0xF2E, Bytes(w =>
    {
        Address(w, ip);
        w.Write(tid);
        w.Write(1u);
    }));

    public SyntheticTrace Stack(long time, int processor, long eventTime, uint pid, uint tid, params ulong[] frames) => Fast(time, processor, 0x1820, Bytes(w =>
    {
        StackHead(w, eventTime, pid, tid);
        Array.ForEach(frames, frame => Address(w, frame));
    }));

    public SyntheticTrace StackKey(long time, int processor, long eventTime, uint pid, uint tid, ulong key, bool isKernel) => Fast(time, processor, isKernel ? 0x1825 : 0x1826, Bytes(w =>
    {
        StackHead(w, eventTime, pid, tid);
        w.Write(key);
    }));

    public SyntheticTrace StackOfKey(long time, int processor, ulong key, params ulong[] frames) => Fast(time, processor, 0x1824, Bytes(w =>
    {
        w.Write(key);
        Array.ForEach(frames, frame => Address(w, frame));
    }));

    /// <param name="opcode">1 start, 2 end, 3 and 4 rundown.</param>
    public SyntheticTrace Process(long time, int opcode, uint pid, string name) => Slow(time, 0, 0x300 + opcode, 4, 0, 0, Bytes(w =>
    {
        Address(w, 0xFFFF_FA80_0000_0000 + pid);
        w.Write(pid);
        w.Write(4u);
        w.Write(1u);
        w.Write(259);
        Address(w, 0x1000);
        w.Write(0u);
        Address(w, 0x77);
        Address(w, 0);
        w.Write(Convert.FromHexString("010100000000000512000000"));
        w.Write(Encoding.Latin1.GetBytes(name + "\0"));
        w.Write(Encoding.Unicode.GetBytes("command line with secrets\0\0\0"));
    }));

    /// <param name="opcode">1 start, 2 end, 3 and 4 rundown.</param>
    public SyntheticTrace Thread(long time, int opcode, uint pid, uint tid, string? name = null) => Slow(time, 0, 0x500 + opcode, (byte)(name is null ? 3 : 4), 0, 0, Bytes(w =>
    {
        w.Write(pid);
        w.Write(tid);
        for (int i = 0; i < 7; i++)
        {
            Address(w, 0x1000);
        }

        w.Write(0u);
        w.Write([8, 5, 2, 0]);
        w.Write(name is null ? [] : Encoding.Unicode.GetBytes(name + "\0"));
    }));

    /// <param name="opcode">2 unload, 3 and 4 rundown, 10 load.</param>
    public SyntheticTrace Image(long time, int opcode, uint pid, ulong start, ulong size, string path) => Slow(time, 0, 0x1400 + opcode, 3, 0, 0, Bytes(w =>
    {
        Address(w, start);
        Address(w, size);
        w.Write(pid);
        w.Write(0u);
        w.Write(0u);
        w.Write(0u);
        Address(w, start);
        w.Write(new byte[16]);
        w.Write(Encoding.Unicode.GetBytes(path + "\0"));
    }));

    public SyntheticTrace FileName(long time, ulong key, string path) => Slow(time, 0, 0x424, 2, 0, 0, Bytes(w =>
    {
        Address(w, key);
        w.Write(Encoding.Unicode.GetBytes(path + "\0"));
    }));

    public SyntheticTrace Read(long time, int processor, uint pid, uint tid, ulong file, uint bytes) => Slow(time, processor, 0x443, 3, pid, tid, Bytes(w =>
    {
        w.Write(0L);
        Address(w, 0xFFFF_1000);
        Address(w, 0xFFFF_2000);
        Address(w, file);
        w.Write(tid);
        w.Write(bytes);
        w.Write(0u);
    }));

    /// <param name="opcode">13 query, 16 query value, and so on.</param>
    public SyntheticTrace Registry(long time, int processor, uint pid, uint tid, int opcode) => Slow(time, processor, 0x900 + opcode, 2, pid, tid, Bytes(w =>
    {
        w.Write(0L);
        w.Write(0u);
        w.Write(0u);
        Address(w, 0x1234);
        w.Write((ushort)0);
    }));

    /// <summary>An event of a provider with a manifest (EVENT_HEADER).</summary>
    public SyntheticTrace Event(long time, int processor, Guid provider, ushort id, byte version, uint pid, uint tid, byte[] payload)
        => Raw(time, processor, Bytes(w =>
        {
            w.Write((ushort)(0x50 + payload.Length));
            w.Write([(byte)(Is64 ? 19 : 18), 0xC0]);
            w.Write((ushort)0);
            w.Write((ushort)0);
            w.Write(tid);
            w.Write(pid);
            w.Write(FirstTick + time);
            w.Write(provider.ToByteArray());
            w.Write(id);
            w.Write(version);
            w.Write(new byte[0x50 - 0x2B]);
            w.Write(payload);
        }));

    public byte[] Build() => TraceBuffers.Build(this, [.. _events.OrderBy(e => e.Time)]);

    /// <summary>Rises with each kind of event that the kernel writes often (PERFINFO_TRACE_HEADER).</summary>
    private SyntheticTrace Fast(long time, int processor, int hook, byte[] payload) => Raw(time, processor, Bytes(w =>
    {
        w.Write((ushort)2);
        w.Write([(byte)(Is64 ? 17 : 16), 0xC0]);
        w.Write((ushort)(16 + payload.Length));
        w.Write((ushort)hook);
        w.Write(FirstTick + time);
        w.Write(payload);
    }));

    /// <summary>SYSTEM_TRACE_HEADER.</summary>
    private SyntheticTrace Slow(long time, int processor, int hook, byte version, uint pid, uint tid, byte[] payload)
        => Raw(time, processor, TraceBuffers.System(Is64, FirstTick + time, hook, version, pid, tid, payload));

    private void StackHead(BinaryWriter w, long eventTime, uint pid, uint tid)
    {
        w.Write(FirstTick + eventTime);
        w.Write(pid);
        w.Write(tid);
    }

    private void Address(BinaryWriter w, ulong address)
    {
        if (Pointer == 8)
        {
            w.Write(address);
        }
        else
        {
            w.Write((uint)address);
        }
    }

    internal static byte[] Bytes(Action<BinaryWriter> write)
    {
        using MemoryStream stream = new();
        using BinaryWriter writer = new(stream);
        write(writer);
        writer.Flush();
        return stream.ToArray();
    }
}
