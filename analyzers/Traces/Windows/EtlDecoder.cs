using System.Globalization;
using HangTriage.Facts;
using HangTriage.Traces.Etl;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Windows;

/// <summary>Counts every event of an .etl file by name, and hands those that are decoded to their decoders.</summary>
internal sealed class EtlDecoder
{
    private const ushort CompactSwitches = 0x525;

    private readonly TraceBuilder _builder;
    private readonly EtlClock _clock;
    private readonly KernelDecoder _kernel;
    private readonly RuntimeDecoder _runtime;
    private readonly FrequentEvents _frequent;
    private readonly Counted?[] _hooks = new Counted?[ushort.MaxValue + 1];
    private readonly Dictionary<(Guid, ushort), Counted> _others = [];
    private long _untimed;

    public EtlDecoder(TraceBuilder builder, EtlClock clock)
    {
        _builder = builder;
        _clock = clock;
        _kernel = new KernelDecoder(builder);
        _runtime = new RuntimeDecoder(builder);
        _frequent = new FrequentEvents(builder);
    }

    public IEnumerable<Gap> Gaps
    {
        get
        {
            if (_untimed > 0)
            {
                yield return new Gap("events without a time", $"{_untimed} events have a time that is damage and are left out") { IsLoss = true };
            }

            if (_kernel.Short + _runtime.Short is > 0 and long cut)
            {
                yield return new Gap("short events", $"{cut} events are shorter than their layout and are left out");
            }

            if (_hooks[CompactSwitches] is { Count: > 0 } compact)
            {
                yield return new Gap("context switches", $"{compact.Count} batches of compact context switches are not decoded: record without \"compact CSwitch\"") { IsLoss = true };
            }
        }
    }

    public void Read(EtlBuffer buffer, ReadOnlySpan<EtlRecord> run)
    {
        foreach (ref readonly EtlRecord record in run)
        {
            if (!_clock.TrySince(record.Time, out TimeSpan time))
            {
                _untimed++;
                continue;
            }

            _builder.Advance(time);
            if (_frequent.TryRead(record, buffer.Processor))
            {
                (_hooks[record.Hook] ??= Kind(record.Hook)).Count++;
            }
            else
            {
                Read(buffer.EventOf(record));
            }
        }
    }

    private void Read(in EtlEvent traceEvent)
    {
        if (traceEvent.Kind == EtlEventKind.Kernel)
        {
            Kernel(traceEvent, traceEvent.Id);
        }
        else if (traceEvent.Kind == EtlEventKind.Classic && EventNames.Groups.TryGetValue(traceEvent.Provider, out byte group))
        {
            Kernel(traceEvent, (ushort)((group << 8) | traceEvent.Id));
        }
        else
        {
            Other(traceEvent);
        }
    }

    private void Kernel(in EtlEvent traceEvent, ushort hook)
    {
        Counted counted = _hooks[hook] ??= Kind(hook);
        counted.Count++;
        if (counted.IsDecoded)
        {
            _kernel.Read(traceEvent, hook);
        }
    }

    private Counted Kind(ushort hook) => _builder.Events.Of(
        EventNames.Kernel.TryGetValue(hook, out string? name) ? name : string.Create(CultureInfo.InvariantCulture, $"kernel event 0x{hook:x}"), KernelDecoder.Decodes(hook));

    private void Other(in EtlEvent traceEvent)
    {
        (Guid Provider, ushort Id) key = (traceEvent.Provider, traceEvent.Id);
        if (!_others.TryGetValue(key, out Counted? counted))
        {
            string name = EventNames.Others.TryGetValue(key, out string? known) ? known : string.Create(CultureInfo.InvariantCulture, $"{key.Provider}/{key.Id}");
            counted = _builder.Events.Of(name, RuntimeDecoder.Decodes(key.Provider, key.Id));
            if (_others.Count < TraceLimits.Default.EventKinds)
            {
                _others.Add(key, counted);
            }
        }

        counted.Count++;
        if (counted.IsDecoded)
        {
            _runtime.Read(traceEvent);
        }
    }
}
