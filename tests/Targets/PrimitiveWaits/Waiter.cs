using Samples;

namespace PrimitiveWaits;

/// <summary>A named thread that takes what it is told to hold, and then goes into one wait.</summary>
internal sealed class Waiter
{
    private readonly string _truth;
    private readonly Thread _thread;
    private volatile uint _osId;
    private volatile bool _waits;

    /// <param name="name">The thread's name.</param>
    /// <param name="kind">What it waits for, as the capture calls it.</param>
    /// <param name="on">The names of the threads that it waits for, with + between them; - for nobody.</param>
    /// <param name="hold">What it takes first.</param>
    /// <param name="wait">The wait.</param>
    public Waiter(string name, string kind, string on, Action hold, Action wait)
    {
        Name = name;
        _truth = $"kind={kind} waits={kind} on={on}";
        _thread = new Thread(() =>
        {
            _osId = NativeThreadId.Current;
            hold();
            _waits = true;
            wait();
        })
        {
            Name = name,
            IsBackground = true,
        };
    }

    public string Name { get; }

    public Thread Thread => _thread;

    /// <summary>
    /// Returns when the thread is in its wait for good; one that spins there naps at times, and seldom does so look after look.
    /// </summary>
    public void StartAndSettle(bool spins)
    {
        _thread.Start();
        if (spins)
        {
            SpinWait.SpinUntil(IsAtRest);
        }
        else
        {
            ThreadRest.Await(IsAtRest);
        }

        bool IsAtRest() => _waits && ThreadRest.IsAtRest(_thread);
    }

    public override string ToString() => $"name={Name} osid=0x{_osId:x} managed={_thread.ManagedThreadId} {_truth}";
}
