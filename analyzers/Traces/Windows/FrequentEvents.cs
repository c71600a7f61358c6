using HangTriage.Traces.Etl;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Windows;

/// <summary>
/// Reads the three events of which a trace has millions, from what a record holds of them: CSwitch, ReadyThread and
/// SampledProfile of 64-bit systems. <see cref="KernelDecoder"/> reads them in every other form.
/// </summary>
internal sealed class FrequentEvents(TraceBuilder builder)
{
    private const ushort CSwitch = 0x524;
    private const ushort ReadyThread = 0x532;
    private const ushort SampledProfile = 0xF2E;

    /// <summary>False where the event is another one, or has another form.</summary>
    /// <param name="record">The event.</param>
    /// <param name="processor">Its buffer's.</param>
    public bool TryRead(in EtlRecord record, ushort processor)
    {
        switch (record.Hook)
        {
            case CSwitch when record.Length >= 15:
                Switch(record, processor);
                return true;
            case ReadyThread when record.Length >= 7:
                Ready(record, processor);
                return true;
            case SampledProfile when record.Length >= 14:
                Sample(record);
                return true;
            default:
                return false;
        }
    }

    /// <summary>
    /// New thread (u32), old thread (u32), priorities of both (s8 each), rank of the old thread, or the processor's C-state
    /// where that is the idle thread (u8), spare (u8), wait reason (s8), wait mode (s8), state (s8).
    /// </summary>
    private void Switch(in EtlRecord record, ushort processor)
    {
        uint old = (uint)(record.Low >> 32);
        builder.Scheduler.Move(
            new Switch(
                record.Time, processor, (uint)record.Low, old, (sbyte)record.High, old == 0 ? null : (byte)(record.High >> 16),
                WaitReasons.Name((byte)(record.High >> 32)), WaitReasons.IsReady((byte)(record.High >> 48))) { OldPriority = (sbyte)(record.High >> 8) },
            builder.Now);
    }

    /// <summary>Thread (u32), what its priority was raised by (u16), flags (u8): 1 deferred, 2 and 4 paged out.</summary>
    private void Ready(in EtlRecord record, ushort processor)
    {
        int flags = (byte)(record.Low >> 48);
        builder.Ready((uint)record.Low, processor, byTid: null, (flags & 1) != 0, (flags & (2 | 4)) != 0, record.Time);
    }

    /// <summary>Instruction (u64), thread (u32), how many samples it stands for (u16).</summary>
    private void Sample(in EtlRecord record)
        => builder.Sample((uint)record.High, record.Low, Math.Max((ushort)(record.High >> 32), (ushort)1), record.Time);
}
