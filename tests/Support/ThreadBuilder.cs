using HangTriage.Facts;

namespace HangTriage.Tests.Support;

/// <summary>One thread of a <see cref="FactsBuilder"/>; <see cref="Thread"/> goes on to the next, <see cref="Build"/> ends.</summary>
public sealed class ThreadBuilder
{
    private static readonly TimeSpan s_forever = System.Threading.Timeout.InfiniteTimeSpan;

    private readonly FactsBuilder _facts;
    private readonly List<FrameFacts> _frames = [];
    private Known<string> _name = Known.Read(string.Empty);
    private Known<CpuTime> _cpu = Known.Read(new CpuTime(TimeSpan.Zero, TimeSpan.Zero));
    private DateTimeOffset _started = FactsBuilder.CapturedAt.AddMinutes(-135);
    private Gap? _stopped;
    private int? _managedId;
    private bool _waitsOnLoaderLock;
    private bool _isLoadOwner;

    internal ThreadBuilder(FactsBuilder facts, int index, ThreadId osId)
    {
        _facts = facts;
        Index = index;
        OsId = osId;
    }

    public int Index { get; }

    public ThreadId OsId { get; }

    public ThreadBuilder Named(string name)
    {
        _name = Known.Read(name);
        return this;
    }

    public ThreadBuilder Managed(int id)
    {
        _managedId = id;
        return this;
    }

    public ThreadBuilder Cpu(TimeSpan user, TimeSpan kernel)
    {
        _cpu = Known.Read(new CpuTime(user, kernel));
        return this;
    }

    public ThreadBuilder UnknownCpu(string why)
    {
        _cpu = Known.Unknown<CpuTime>("CPU times", why);
        return this;
    }

    public ThreadBuilder StartedBeforeCapture(TimeSpan span)
    {
        _started = FactsBuilder.CapturedAt - span;
        return this;
    }

    /// <summary>Innermost first: "ntdll!NtYieldExecution+0x14", "app+0x1234", "App.Program.Main()" (managed), "[HelperMethodFrame]".</summary>
    public ThreadBuilder Frames(params IEnumerable<string> frames)
    {
        foreach (string frame in frames)
        {
            _frames.Add(FrameParser.Parse(frame, _frames.Count, _frames.Count == 0 ? Trust.Read : Trust.Derived));
        }

        return this;
    }

    /// <summary>Frames that were only guessed.</summary>
    public ThreadBuilder ScannedFrames(params IEnumerable<string> frames)
    {
        foreach (string frame in frames)
        {
            _frames.Add(FrameParser.Parse(frame, _frames.Count, Trust.Scanned));
        }

        return this;
    }

    public ThreadBuilder StackStops(string what, string why)
    {
        _stopped = new Gap(what, why);
        return this;
    }

    public ThreadBuilder Holds(LockId id)
    {
        _facts.Held(id, OsId);
        return this;
    }

    public ThreadBuilder WaitsFor(LockId id, TimeSpan? timeout = null)
    {
        _waitsOnLoaderLock |= id.Kind == LockKind.LoaderLock;
        _facts.Waited(id, OsId, WaitKind.Acquire, timeout ?? s_forever);
        return this;
    }

    /// <summary>Monitor.Wait.</summary>
    public ThreadBuilder WaitsForPulse(LockId id, TimeSpan? timeout = null)
    {
        _facts.Waited(id, OsId, WaitKind.Pulse, timeout ?? s_forever);
        return this;
    }

    public ThreadBuilder IsLoadOwner()
    {
        _isLoadOwner = true;
        return this;
    }

    public ThreadBuilder Thread(int index, uint? osId = null) => _facts.Thread(index, osId);

    public ProcessSnapshot Build() => _facts.Build();

    internal ThreadFacts Facts(TargetOs os) => new()
    {
        OsId = OsId,
        Index = Index,
        ManagedId = _managedId,
        Name = _name,
        Cpu = _cpu,
        StartedAt = Known.Read(_started),
        StartAddress = Known.Read(new Address(0x7ff6_0000_1000)),
        Stack = new StackFacts([.. _frames], _stopped),
        Teb = os != TargetOs.Windows ? null : Known.Read(new TebFacts(
            new Address(0x90_0000 + (0x2000 * (ulong)Index)),
            Known.Read(_waitsOnLoaderLock),
            Known.Read(_isLoadOwner),
            Known.Read(false))),
    };
}
