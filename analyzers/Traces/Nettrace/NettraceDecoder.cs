using HangTriage.Traces.Etl;
using HangTriage.Traces.Timeline;
using HangTriage.Traces.Windows;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Etlx;

namespace HangTriage.Traces.Nettrace;

/// <summary>Counts every event of a .nettrace file by name, and hands those of .NET to the decoder that .etl files have: the layouts are the same.</summary>
internal sealed class NettraceDecoder(TraceBuilder builder)
{
    private const string Sampler = "Microsoft-DotNETCore-SampleProfiler";
    private const string Session = "Microsoft-DotNETCore-EventPipe";
    private const string ProcessInfo = "ProcessInfo";

    private readonly RuntimeDecoder _runtime = new(builder);
    private readonly Dictionary<(string Provider, ushort Id), Counted> _counts = [];
    private readonly Dictionary<CallStackIndex, StackRef> _stacks = [];
    private readonly HashSet<uint> _threads = [];

    public long Samples { get; private set; }

    public long Short => _runtime.Short;

    public void Read(TraceEvent traceEvent, TimeSpan time)
    {
        builder.Advance(time);
        Meet(traceEvent);
        Counted counted = CounterOf(traceEvent);
        counted.Count++;
        if (!counted.IsDecoded)
        {
            return;
        }

        if (traceEvent.ProviderName == Sampler)
        {
            Sample(traceEvent);
        }
        else if (traceEvent.ProviderName == Session)
        {
            builder.Processes.Rundown((uint)traceEvent.ProcessID, CommandLine.ProgramOf(traceEvent.PayloadByName("CommandLine") as string));
        }
        else
        {
            Runtime(traceEvent);
        }
    }

    private void Meet(TraceEvent traceEvent)
    {
        uint tid = (uint)traceEvent.ThreadID;
        if (traceEvent.ThreadID > 0 && _threads.Count < TraceLimits.Default.Threads && _threads.Add(tid))
        {
            builder.ThreadRundown((uint)traceEvent.ProcessID, tid, name: null);
        }
    }

    private Counted CounterOf(TraceEvent traceEvent)
    {
        (string Provider, ushort Id) key = (traceEvent.ProviderName, (ushort)traceEvent.ID);
        if (!_counts.TryGetValue(key, out Counted? counted))
        {
            Guid provider = ProviderOf(key.Provider);
            bool isDecoded = key.Provider == Sampler || (key.Provider == Session && traceEvent.EventName == ProcessInfo) || RuntimeDecoder.Decodes(provider, key.Id);
            counted = builder.Events.Of(EventNames.Others.TryGetValue((provider, key.Id), out string? known) ? known : $"{key.Provider}/{traceEvent.EventName}", isDecoded);
            if (_counts.Count < TraceLimits.Default.EventKinds)
            {
                _counts.Add(key, counted);
            }
        }

        return counted;
    }

    private static Guid ProviderOf(string name) => name switch
    {
        "Microsoft-Windows-DotNETRuntime" => EventNames.Runtime,
        "Microsoft-Windows-DotNETRuntimeRundown" => EventNames.RuntimeRundown,
        _ => Guid.Empty,
    };

    private void Sample(TraceEvent traceEvent)
    {
        Samples++;
        if (traceEvent.ThreadID <= 0 || builder.Threads.Get((uint)traceEvent.ThreadID) is not { } line)
        {
            return;
        }

        SampleCounts samples = line.Samples ??= new SampleCounts(builder.Tree);
        samples.Count(1);
        samples.Add(StackOf(traceEvent.CallStack()), 1);
    }

    private StackRef StackOf(TraceCallStack? stack)
    {
        if (stack is null || _stacks.TryGetValue(stack.CallStackIndex, out StackRef known))
        {
            return stack is null ? default : _stacks[stack.CallStackIndex];
        }

        List<ulong> frames = [];
        for (TraceCallStack? at = stack; at is not null && frames.Count < TraceLimits.Default.FramesPerStack; at = at.Caller)
        {
            frames.Add(at.CodeAddress.Address);
        }

        StackRef made = new(builder.Tree.Add(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(frames)), 0, 0);
        _stacks.Add(stack.CallStackIndex, made);
        return made;
    }

    private void Runtime(TraceEvent traceEvent) => _runtime.Read(new EtlEvent
    {
        Kind = EtlEventKind.Manifest,
        Time = 0,
        Processor = 0,
        Id = (ushort)traceEvent.ID,
        Version = (byte)traceEvent.Version,
        Provider = ProviderOf(traceEvent.ProviderName),
        Pid = (uint)traceEvent.ProcessID,
        Tid = (uint)traceEvent.ThreadID,
        PointerSize = traceEvent.PointerSize,
        Payload = traceEvent.EventData(),
    });
}
