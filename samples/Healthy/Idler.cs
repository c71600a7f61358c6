using Samples;

namespace Healthy;

/// <summary>A named thread that goes into one wait and stays there.</summary>
internal sealed class Idler
{
    private readonly Thread _thread;
    private readonly bool _waitsInRuntime;
    private volatile bool _arrives;

    /// <param name="name">The thread's name.</param>
    /// <param name="wait">The wait.</param>
    /// <param name="waitsInRuntime">The runtime itself waits, so the thread's state shows it; otherwise a system call does.</param>
    public Idler(string name, Action wait, bool waitsInRuntime = true)
    {
        _waitsInRuntime = waitsInRuntime;
        _thread = new Thread(() =>
        {
            _arrives = true;
            wait();
        })
        {
            Name = name,
            IsBackground = true,
        };
    }

    public Thread Thread => _thread;

    public bool IsIdle => _arrives && (!_waitsInRuntime || ThreadRest.IsAtRest(_thread));

    public void Start() => _thread.Start();
}
