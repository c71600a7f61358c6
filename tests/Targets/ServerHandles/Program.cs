using System.Runtime;
using System.Runtime.InteropServices;
using Samples;

namespace ServerHandles;

/// <summary>
/// With the server's garbage collector: threads wait for signals that a handle leads to, that a dependent handle keeps, and that a static
/// field holds, whose array a handle keeps.
/// </summary>
internal static class Program
{
    private static readonly ManualResetEvent s_open = new(initialState: false);
    private static readonly List<Thread> s_threads = [];
    private static readonly List<DependentHandle> s_dependents = [];

    private static void Main()
    {
        (ManualResetEvent signal, ManualResetEvent behind) = (new(initialState: false), new(initialState: false));
        _ = GCHandle.Alloc(signal);
        s_dependents.Add(new DependentHandle(signal, behind));
        Start("waits-handle", () => signal.WaitOne());
        Start("waits-behind", () => behind.WaitOne());
        Start("waits-static", static () => s_open.WaitOne());
        Start("opens", static () =>
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            s_open.Set();
        });
        Stage.ReadyWhenAllWait([.. s_threads]);
    }

    private static void Start(string name, ThreadStart run) => s_threads.Add(Stage.Start(name, run));
}
