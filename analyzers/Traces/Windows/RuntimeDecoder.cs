using HangTriage.Traces.Etl;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Windows;

/// <summary>Reads the payloads of .NET's events. Layouts from the runtime's manifest (ClrEtwAll.man).</summary>
internal sealed class RuntimeDecoder(TraceBuilder builder)
{
    private const ushort RestartEnd = 3;
    private const ushort SuspendStart = 9;
    private const ushort PoolAdjustment = 55;
    private const ushort ContentionStart = 81;
    private const ushort ContentionStop = 91;
    private const ushort MethodLoad = 143;
    private const ushort MethodEnd = 144;
    private const ushort HandleWaitStart = 301;
    private const ushort HandleWaitStop = 302;
    private const int Starvation = 6;

    // GCSuspendEEReason: other reasons are a debugger's, the sampler's, or the end of the process.
    private const uint ForCollection = 1;
    private const uint ToPrepareCollection = 6;

    public long Short { get; private set; }

    public static bool Decodes(Guid provider, ushort id)
        => provider == EventNames.Runtime ? id is RestartEnd or SuspendStart or PoolAdjustment or ContentionStart or ContentionStop or MethodLoad or HandleWaitStart or HandleWaitStop
            : provider == EventNames.RuntimeRundown ? id is MethodLoad or MethodEnd
            : provider == EventNames.KernelProcess && id is FreezeStart or FreezeStop;

    private const ushort FreezeStart = 11;
    private const ushort FreezeStop = 12;

    public void Read(in EtlEvent traceEvent)
    {
        if (traceEvent is not { Pid: { } pid, Tid: { } tid })
        {
            return;
        }

        PayloadReader payload = new(traceEvent);
        if (traceEvent.Provider == EventNames.KernelProcess)
        {
            uint frozen = payload.U32();
            builder.Freeze(frozen, isFrozen: traceEvent.Id == FreezeStart);
        }
        else if (traceEvent.Id is MethodLoad or MethodEnd)
        {
            Method(pid, ref payload);
        }
        else if (builder.Runtime(pid) is { } runtime)
        {
            Runtime(traceEvent, runtime, tid, ref payload);
        }

        Short += payload.IsShort ? 1 : 0;
    }

    private void Runtime(in EtlEvent traceEvent, RuntimeLine runtime, uint tid, ref PayloadReader payload)
    {
        switch (traceEvent.Id)
        {
            case SuspendStart:
                uint reason = traceEvent.Version > 0 ? payload.U32() : payload.U16();
                runtime.SuspendingSince ??= reason is ForCollection or ToPrepareCollection ? builder.Now : null;
                break;
            case RestartEnd:
                runtime.EndSuspension(builder.Now);
                break;
            case PoolAdjustment:
                payload.Skip(sizeof(double));
                runtime.PoolWorkers = (int)payload.U32();
                runtime.Adjustments++;
                runtime.Starvations += payload.U32() == Starvation ? 1 : 0;
                break;
            case ContentionStop:
                runtime.EndContention(tid, builder.Now);
                break;
            case HandleWaitStart:
                runtime.Wait(tid, payload.U8(), builder.Now);
                break;
            case HandleWaitStop:
                runtime.EndWait(tid, builder.Now);
                break;
            case ContentionStart:
                Contention(traceEvent, runtime, tid, ref payload);
                break;
            default:
                break;
        }
    }

    private void Contention(in EtlEvent traceEvent, RuntimeLine runtime, uint tid, ref PayloadReader payload)
    {
        const int OwnerFromVersion = 2;
        payload.Skip(1 + sizeof(ushort));
        bool hasOwner = traceEvent.Version >= OwnerFromVersion;
        ulong lockId = hasOwner ? payload.U64() : 0;
        payload.Skip(hasOwner ? sizeof(ulong) : 0);
        ulong owner = hasOwner ? payload.U64() : 0;
        runtime.Contend(tid, (uint)owner, lockId, builder.Now);
    }

    private void Method(uint pid, ref PayloadReader payload)
    {
        payload.Skip(2 * sizeof(ulong));
        ulong start = payload.U64();
        uint size = payload.U32();
        payload.Skip(2 * sizeof(uint));
        string space = payload.Utf16();
        string name = payload.Utf16();
        if (!payload.IsShort)
        {
            builder.Processes.AddMethod(pid, start, size, space.Length > 0 ? $"{space}.{name}" : name);
        }
    }
}
