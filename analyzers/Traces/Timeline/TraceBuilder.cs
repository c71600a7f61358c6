using System.Runtime.CompilerServices;
using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>
/// Gathers what events say, whatever wrote them. Events come in the order of time; one that is late counts as of the latest
/// time so far. Times are in steps of 100 ns from the first event.
/// </summary>
internal sealed class TraceBuilder
{
    private readonly TraceLimits _limits;
    private bool _isBegun;
    private long _first;
    private long? _moment;

    /// <summary>The moment, from the window's start; the end of all time where there is none, or it was taken.</summary>
    private long _nextMoment = long.MaxValue;

    public TraceBuilder(TraceLimits limits)
    {
        _limits = limits;
        Threads = new ThreadTable(limits);
        Processes = new ProcessTable(limits);
        Tree = new StackTree(limits);
        Stacks = new StackJoin(Tree);
        Files = new FileNames(limits);
        Events = new EventCounts(limits);
        Scheduler = new Scheduler(Threads, Stacks, Ledger);
    }

    public ThreadTable Threads { get; }

    public ProcessTable Processes { get; }

    public StackTree Tree { get; }

    public StackJoin Stacks { get; }

    public FileNames Files { get; }

    public EventCounts Events { get; }

    public WaitLedger Ledger { get; } = new();

    public Scheduler Scheduler { get; }

    /// <summary>Images that lie at one address in every process: the kernel's.</summary>
    public ImageMap Kernel { get; } = new();

    /// <summary>The time of the event that is read.</summary>
    public long Now { get; private set; }

    /// <summary>The first event's time, as <see cref="Advance"/> got it.</summary>
    public TimeSpan First => new(_first);

    /// <summary>The moment of which every thread's state is kept, from the same zero as the times that <see cref="Advance"/> gets.</summary>
    public void AskFor(TimeSpan moment) => _moment = moment.Ticks;

    /// <summary>Goes to the time of the next event.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(TimeSpan time)
    {
        if (!_isBegun)
        {
            Begin(time.Ticks);
        }

        long now = time.Ticks - _first;
        if (now > _nextMoment)
        {
            TakeMoment(_nextMoment);
        }

        Now = Math.Max(Now, now);
    }

    public void Ready(uint tid, int processor, uint? byTid, bool isDeferred, bool? isPagedOut, long stamp)
    {
        ThreadLine? by = byTid is { } named ? (named == 0 ? null : Threads.Get(named)) : Scheduler.On(processor);
        ThreadLine? line = Threads.Live(tid, Now);
        KeptStack? stack = by is not null && (Stacks.HasAny || line?.IsLongestWait(Now) == true) ? new KeptStack() : null;
        Scheduler.Ready(line, new Readied(Now, by, isDeferred, isPagedOut, stack), Now);
        if (by is not null && stack is not null)
        {
            Stacks.Ask(stamp, by.Tid, stack);
        }
    }

    public void Sample(uint tid, ulong ip, uint count, long stamp)
    {
        // An idle thread is no thread of the machine's work, but its samples have stacks, too.
        if (tid == 0 || Threads.Get(tid) is not { } line)
        {
            Stacks.Ask(stamp, tid, taker: null);
            return;
        }

        SampleCounts samples = line.Samples ??= new SampleCounts(Tree);
        samples.Count(count);
        if (Stacks.AreExpected)
        {
            Stacks.Ask(stamp, tid, samples, ip, count);
        }
        else
        {
            samples.Take(default, ip, count);
        }
    }

    public void ThreadStart(uint pid, uint tid, string? name)
        => Name(Threads.Find(tid) is { IsStartSeen: false, Process: null, Switches: 0, IsSeen: false } met ? Begin(met) : Threads.Start(tid, Now), pid, name);

    public void ThreadRundown(uint pid, uint tid, string? name) => Name(Threads.Get(tid), pid, name);

    public void ThreadEnd(uint pid, uint tid, string? name)
    {
        ThreadLine? line = Threads.Get(tid);
        Name(line, pid, name);
        if (line is { IsEndSeen: false })
        {
            line.IsEndSeen = true;
            line.To = Now;

            // A thread tells of its end itself: it runs.
            line.State = line.IsSeen ? line.State : TraceThreadState.Running;
            if (line.State != TraceThreadState.Running)
            {
                Scheduler.Close(line, Now);
                line.State = TraceThreadState.Ended;
            }
        }
    }

    public void FileUse(uint tid, ulong file, uint bytes, bool isWrite)
    {
        if (Threads.Get(tid) is { } line)
        {
            (line.Io ??= new IoCounts(_limits.FilesPerThread)).Add(file, bytes, isWrite);
        }
    }

    public void Registry(uint tid, string call)
    {
        if (Threads.Get(tid) is { } line)
        {
            IoCounts io = line.Io ??= new IoCounts(_limits.FilesPerThread);
            io.Registry[call] = io.Registry.GetValueOrDefault(call) + 1;
        }
    }

    /// <param name="pid">Null for an image of the kernel, which lies at one address in every process.</param>
    /// <param name="start">Its first address.</param>
    /// <param name="size">In bytes.</param>
    /// <param name="name">Its file name.</param>
    public void AddImage(uint? pid, ulong start, ulong size, string name)
    {
        if (pid is { } process)
        {
            Processes.AddImage(process, start, size, name);
        }
        else if (Kernel.Images.Count < _limits.Images)
        {
            Kernel.Images.Add(start, size, name);
        }
    }

    public void Freeze(uint pid, bool isFrozen)
    {
        if (Processes.Get(pid) is not { } line)
        {
            return;
        }

        line.Frozen += line.FrozenSince is { } since && !isFrozen ? Now - since : 0;
        line.FrozenSince = isFrozen ? line.FrozenSince ?? Now : null;
    }

    public RuntimeLine? Runtime(uint pid) => Processes.Get(pid) is { } line ? line.Runtime ??= new RuntimeLine() : null;

    /// <summary>Ends every thread's time; nothing may be added afterwards.</summary>
    public void Finish()
    {
        if (_nextMoment != long.MaxValue || _moment is null)
        {
            TakeMoment(Math.Max(_moment is null ? 0 : _nextMoment, Now));
        }

        foreach (ProcessLine process in Processes.All)
        {
            process.Frozen += process.FrozenSince is { } since ? Now - since : 0;
            process.FrozenSince = null;
        }

        Scheduler.Finish(Now);
        Stacks.CloseAll();
    }

    private void Begin(long first)
    {
        _isBegun = true;
        _first = first;
        if (_moment is { } moment)
        {
            _nextMoment = moment - first;
            Scheduler.Around = new AroundSpan(_nextMoment);
        }
    }

    private ThreadLine Begin(ThreadLine line)
    {
        line.From = Now;
        line.Since = Now;
        line.IsStartSeen = true;
        return line;
    }

    private void Name(ThreadLine? line, uint pid, string? name)
    {
        if (line is not null)
        {
            line.Process ??= Processes.Get(pid);
            line.Name = name ?? line.Name;
        }
    }

    private void TakeMoment(long moment)
    {
        _nextMoment = long.MaxValue;
        foreach (ThreadLine line in Threads.All.Where(line => line.IsSeen && line.From <= moment))
        {
            bool runs = line.State == TraceThreadState.Running;
            line.Moment = new TraceMoment(
                line.State,
                new TimeSpan(Math.Max(0, moment - line.Since)),
                !runs && line.Reason is { } reason ? Known.Read(reason) : Known.Unknown<string>("wait reason", runs ? "the thread runs" : "its last switch-out is not in the trace"));
        }
    }
}
