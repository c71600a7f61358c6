using System.Reactive.Linq;

namespace Truth.Healthy;

/// <summary>An interval of Rx does the work; the first thread waits for an event that Ctrl+C sets.</summary>
internal static class RxInterval
{
    private static int s_samples;

    public static void Run()
    {
        using ManualResetEventSlim exit = new();
        Console.CancelKeyPress += (_, _) => exit.Set();
        using IDisposable sampling = Observable.Interval(TimeSpan.FromMilliseconds(200)).Subscribe(_ => Interlocked.Increment(ref s_samples));
        Ready.When(() => Volatile.Read(ref s_samples) > 2);
        exit.Wait();
    }
}
