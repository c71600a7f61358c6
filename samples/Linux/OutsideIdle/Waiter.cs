using Samples;

namespace OutsideIdle;

/// <summary>A named thread in the background.</summary>
internal sealed class Waiter(string name, ThreadStart run)
{
    /// <summary>Starts it, and returns the id that the system gave it.</summary>
    public uint Start()
    {
        uint id = 0;
        using ManualResetEventSlim started = new();
        Stage.Start(name, () =>
        {
            id = NativeThreadId.Current;
            started.Set();
            run();
            // The console's input can be at its end.
            Thread.Sleep(Timeout.Infinite);
        });
        started.Wait();
        return id;
    }
}
