using Samples;

namespace LockWaits;

/// <summary>A named thread that goes into one wait.</summary>
internal sealed class Waiter
{
    private readonly string _truth;
    private readonly Thread _thread;
    private volatile uint _osId;
    private volatile bool _waits;

    public Waiter(string name, string kind, string waits, int timeout, Action wait)
    {
        _truth = $"kind={kind} waits={waits} timeout={timeout}";
        _thread = new Thread(() =>
        {
            _osId = NativeThreadId.Current;
            _waits = true;
            wait();
        })
        {
            Name = name,
            IsBackground = true,
        };
    }

    public bool IsBlocked => _waits && ThreadRest.IsAtRest(_thread, _osId);

    public void Start() => _thread.Start();

    public void Join() => _thread.Join();

    public override string ToString() => $"name={_thread.Name} osid=0x{_osId:x} managed={_thread.ManagedThreadId} {_truth}";
}
