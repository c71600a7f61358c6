namespace HangTriage.Tests.Support.Synthetic.Traces;

/// <summary>
/// Threads that run, are preempted, wait and are readied as a seed decides, on some processors. It keeps a record of each
/// thread's states, tick by tick, and writes the events that Windows would write.
/// </summary>
public sealed class RandomSchedule
{
    private const uint FirstThread = 100;

    private readonly Random _random;
    private readonly SyntheticTrace _trace;
    private readonly uint?[] _on;
    private readonly char[] _state;
    private readonly long[] _since;
    private readonly Dictionary<(uint Tid, char State), long> _times = [];
    private long _now;

    public RandomSchedule(SyntheticTrace trace, int threads, int seed)
    {
        _random = new Random(seed);
        _trace = trace;
        _on = new uint?[trace.Processors];
        _state = [.. Enumerable.Repeat('w', threads)];
        _since = new long[threads];
    }

    /// <summary>Ticks from the session's start to the last event.</summary>
    public long Length => _now;

    public long Switches { get; private set; }

    public IEnumerable<uint> Threads => Enumerable.Range(0, _state.Length).Select(i => FirstThread + (uint)i);

    /// <param name="tid">A thread.</param>
    /// <param name="state">r running, y ready, w waiting.</param>
    public long Time(uint tid, char state) => _times.GetValueOrDefault((tid, state));

    public RandomSchedule Run(int steps)
    {
        foreach (uint tid in Threads)
        {
            _trace.Thread(0, 3, 40, tid);
        }

        for (int i = 0; i < steps; i++)
        {
            _now += _random.Next(1, 5000);
            int processor = _random.Next(_on.Length);
            if (_random.Next(2) == 0)
            {
                Wake(processor);
            }
            else
            {
                Change(processor);
            }
        }

        _now += 10;
        foreach (uint tid in Threads)
        {
            _trace.Thread(_now, 4, 40, tid);
            Enter(tid, _state[tid - FirstThread]);
        }

        return this;
    }

    private void Wake(int processor)
    {
        if (Pick('w') is { } tid)
        {
            _trace.Ready(_now, processor, tid);
            Enter(tid, 'y');
        }
    }

    private void Change(int processor)
    {
        uint? old = _on[processor];
        uint? next = Pick('y');
        if (old is null && next is null)
        {
            return;
        }

        bool isPreempted = old is not null && _random.Next(3) == 0;
        _trace.Switch(_now, processor, next ?? 0, old ?? 0, reason: (byte)(isPreempted ? 32 : 6), state: (byte)(isPreempted ? 1 : 5));
        if (old is { } stopped)
        {
            Enter(stopped, isPreempted ? 'y' : 'w');
        }

        _on[processor] = next;
        Switches++;
        if (next is { } started)
        {
            Enter(started, 'r');
        }
    }

    private uint? Pick(char state)
    {
        uint[] fitting = [.. Threads.Where(tid => _state[tid - FirstThread] == state)];
        return fitting.Length == 0 ? null : fitting[_random.Next(fitting.Length)];
    }

    private void Enter(uint tid, char state)
    {
        uint at = tid - FirstThread;
        _times[(tid, _state[at])] = Time(tid, _state[at]) + _now - _since[at];
        _state[at] = state;
        _since[at] = _now;
    }
}
