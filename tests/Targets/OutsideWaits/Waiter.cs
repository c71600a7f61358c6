using System.Globalization;
using Samples;

namespace OutsideWaits;

/// <summary>A named thread that makes one call and stays in it.</summary>
internal sealed class Waiter
{
    private const int Looks = 20;

    private readonly string _truth;
    private readonly Thread _thread;
    private volatile uint _osId;

    /// <param name="name">The thread's name.</param>
    /// <param name="truth">What the capture should see: "end=Server peer=127.0.0.1:80".</param>
    /// <param name="call">The call that never returns.</param>
    public Waiter(string name, string truth, Action call)
    {
        Name = name;
        _truth = truth;
        _thread = new Thread(() =>
        {
            _osId = NativeThreadId.Current;
            call();
        })
        {
            Name = name,
            IsBackground = true,
        };
    }

    public string Name { get; }

    /// <summary>Returns when the system says, time after time, that the thread waits.</summary>
    public void StartAndSettle()
    {
        _thread.Start();
        SpinWait.SpinUntil(() => _osId != 0);
        KernelWait.Await(_osId, Looks);
    }

    public override string ToString()
        => string.Create(CultureInfo.InvariantCulture, $"name={Name} osid=0x{_osId:x} managed={_thread.ManagedThreadId} {_truth}");
}
