using Samples;

namespace MonitorDeadlock;

/// <summary>A named thread that takes one lock, meets the others, and asks for a second lock.</summary>
internal sealed class Worker
{
    private readonly object? _holds;
    private readonly object _wants;
    private readonly Barrier _allHold;
    private readonly Thread _thread;
    private volatile uint _osId;
    private volatile bool _asks;

    public Worker(string name, object? holds, object wants, Action<Worker> run, Barrier allHold)
    {
        _holds = holds;
        _wants = wants;
        _allHold = allHold;
        _thread = new Thread(() => run(this)) { Name = name, IsBackground = true };
    }

    public object Holds => _holds ?? throw new InvalidOperationException($"{_thread.Name} holds nothing.");

    public object Wants => _wants;

    /// <summary>True once the thread has said that it asks for its lock and then waits; nothing but that lock is between the two.</summary>
    public bool IsBlocked => _asks && ThreadRest.IsAtRest(_thread);

    public void Start() => _thread.Start();

    public void Join() => _thread.Join();

    /// <summary>Called by the thread when it has its first lock: returns when all have theirs.</summary>
    public void MeetTheOthers()
    {
        _osId = NativeThreadId.Current;
        _allHold.SignalAndWait();
        _asks = true;
    }

    public override string ToString()
        => $"name={_thread.Name} osid=0x{_osId:x} managed={_thread.ManagedThreadId} "
            + $"holds={_holds?.GetType().FullName ?? "-"} waits={_wants.GetType().FullName}";
}
