using HangTriage.Traces.Etl;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Windows;

/// <summary>Reads the payloads of the kernel's events. Layouts: docs/traces.md.</summary>
internal sealed class KernelDecoder(TraceBuilder builder)
{
    private const ulong KernelSpace64 = 0xFFFF_8000_0000_0000;

    private readonly StackDecoder _stacks = new(builder);

    /// <summary>Events whose payload is shorter than its layout.</summary>
    public long Short { get; private set; }

    public static bool Decodes(ushort hook) => hook switch
    {
        0x000 or (>= 0x301 and <= 0x304) or 0x30A or 0x400 or 0x420 or 0x423 or 0x424 or 0x443 or 0x444 => true,
        (>= 0x501 and <= 0x504) or 0x524 or 0x532 or 0x548 or (>= 0x90A and <= 0x91B) or 0xF2E => true,
        (>= 0x1402 and <= 0x1404) or 0x140A or 0x1820 or (>= 0x1823 and <= 0x1826) => true,
        _ => false,
    };

    /// <param name="traceEvent">A kernel event.</param>
    /// <param name="hook">Its group and opcode.</param>
    public void Read(in EtlEvent traceEvent, ushort hook)
    {
        PayloadReader payload = new(traceEvent);
        switch (hook)
        {
            case 0x524:
                Switch(traceEvent, ref payload);
                break;
            case 0x532:
                Ready(traceEvent, ref payload);
                break;
            case 0xF2E:
                Sample(traceEvent, ref payload);
                break;
            case >= 0x1820 and <= 0x1826:
                _stacks.Read(hook, ref payload, traceEvent.PointerSize);
                break;
            case >= 0x501 and <= 0x504 or 0x548:
                Thread(traceEvent, hook, ref payload);
                break;
            case >= 0x301 and <= 0x304:
                Process(traceEvent, hook, ref payload);
                break;
            case 0x30A or 0x140A or 0x1402 or 0x1403 or 0x1404:
                Image(traceEvent, ref payload);
                break;
            case 0x400 or 0x420 or 0x423 or 0x424:
                builder.Files.Add(payload.Pointer(), payload.Utf16());
                break;
            case 0x443 or 0x444:
                FileUse(traceEvent, hook, ref payload);
                break;
            case >= 0x90A and <= 0x91B:
                Registry(traceEvent, hook);
                break;
            default:
                break;
        }

        Short += payload.IsShort ? 1 : 0;
    }

    private void Sample(in EtlEvent traceEvent, ref PayloadReader payload)
    {
        ulong ip = payload.Pointer();
        uint tid = payload.U32();
        uint count = payload.U16();
        if (!payload.IsShort)
        {
            builder.Sample(tid, ip, Math.Max(count, 1), traceEvent.Time);
        }
    }

    private void Switch(in EtlEvent traceEvent, ref PayloadReader payload)
    {
        uint newTid = payload.U32();
        uint oldTid = payload.U32();
        int newPriority = (sbyte)payload.U8();
        int oldPriority = (sbyte)payload.U8();
        int rank = payload.U8();
        payload.Skip(1);
        int reason = payload.U8();
        payload.Skip(1);
        int state = payload.U8();
        if (payload.IsShort)
        {
            return;
        }

        // The byte is the C-state of the processor where the old thread is the idle thread.
        builder.Scheduler.Move(
            new Switch(traceEvent.Time, traceEvent.Processor, newTid, oldTid, newPriority, oldTid == 0 ? null : rank, WaitReasons.Name(reason), WaitReasons.IsReady(state)) { OldPriority = oldPriority },
            builder.Now);
    }

    private void Ready(in EtlEvent traceEvent, ref PayloadReader payload)
    {
        const int Deferred = 1;
        const int PagedOut = 2 | 4;
        uint tid = payload.U32();
        payload.Skip(2);
        int flags = payload.U8();
        if (!payload.IsShort)
        {
            builder.Ready(tid, traceEvent.Processor, traceEvent.Tid, (flags & Deferred) != 0, (flags & PagedOut) != 0, traceEvent.Time);
        }
    }

    private void Thread(in EtlEvent traceEvent, ushort hook, ref PayloadReader payload)
    {
        const int NamesFromVersion = 4;
        uint pid = payload.U32();
        uint tid = payload.U32();
        if (payload.IsShort || tid == 0)
        {
            return;
        }

        string? name = null;
        if (hook == 0x548)
        {
            name = payload.Utf16();
        }
        else if (traceEvent.Version >= NamesFromVersion)
        {
            // 7 pointers (stacks, affinity, start address, TEB), the service's tag, 4 bytes of priorities and flags.
            payload.SkipPointers(7);
            payload.Skip(8);
            name = payload.Left > 0 ? payload.Utf16() : null;
        }

        name = name is { Length: > 0 } ? name : null;
        switch (hook)
        {
            case 0x501:
                builder.ThreadStart(pid, tid, name);
                break;
            case 0x502:
                builder.ThreadEnd(pid, tid, name);
                break;
            default:
                builder.ThreadRundown(pid, tid, name);
                break;
        }
    }

    private void Process(in EtlEvent traceEvent, ushort hook, ref PayloadReader payload)
    {
        const int TableFromVersion = 3;
        const int FlagsFromVersion = 4;
        payload.SkipPointers(1);
        uint pid = payload.U32();
        payload.Skip(3 * sizeof(uint));
        payload.SkipPointers(traceEvent.Version >= TableFromVersion ? 1 : 0);
        payload.Skip(traceEvent.Version >= FlagsFromVersion ? sizeof(uint) : 0);
        if (payload.IsShort)
        {
            return;
        }

        payload.SkipSid();
        string? name = payload.Bytes() is { Length: > 0 } read ? read : null;
        switch (hook)
        {
            case 0x301:
                builder.Processes.Start(pid, name, builder.Now);
                break;
            case 0x302:
                builder.Processes.End(pid, name, builder.Now);
                break;
            default:
                builder.Processes.Rundown(pid, name);
                break;
        }
    }

    private void Image(in EtlEvent traceEvent, ref PayloadReader payload)
    {
        const int FieldsFromVersion = 2;
        const int SystemProcess = 4;
        ulong start = payload.Pointer();
        ulong size = payload.Pointer();
        uint pid = payload.U32();
        if (traceEvent.Version >= FieldsFromVersion)
        {
            // Checksum, time stamp, signature, default base, 4 reserved fields.
            payload.Skip(3 * sizeof(uint));
            payload.SkipPointers(1);
            payload.Skip(4 * sizeof(uint));
        }

        string path = payload.Utf16();
        if (payload.IsShort || size == 0)
        {
            return;
        }

        string name = path[(path.LastIndexOf('\\') + 1)..];
        bool isKernel = pid == 0 || (traceEvent.PointerSize == sizeof(uint) ? pid == SystemProcess : start >= KernelSpace64);
        builder.AddImage(isKernel ? null : pid, start, size, name);
    }

    private void FileUse(in EtlEvent traceEvent, ushort hook, ref PayloadReader payload)
    {
        const int ThreadFromVersion = 3;
        const int Write = 0x444;
        bool hasThread = traceEvent.Version >= ThreadFromVersion;
        payload.Skip(sizeof(ulong));
        payload.SkipPointers(hasThread ? 2 : 3);
        ulong file = payload.Pointer();
        uint? tid = hasThread ? payload.U32() : traceEvent.Tid ?? builder.Scheduler.On(traceEvent.Processor)?.Tid;
        uint bytes = payload.U32();
        if (!payload.IsShort && tid is { } thread)
        {
            builder.FileUse(thread, file, bytes, hook == Write);
        }
    }

    private void Registry(in EtlEvent traceEvent, ushort hook)
    {
        if ((traceEvent.Tid ?? builder.Scheduler.On(traceEvent.Processor)?.Tid) is { } tid)
        {
            builder.Registry(tid, EventNames.Kernel[hook]["Registry/".Length..]);
        }
    }
}
