using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Truth.Healthy;

/// <summary>A finalizer waits, without a limit of its own, until the bus has worked off what was handed to it; the bus's thread is at it, slowly.</summary>
internal static class FinalizerWaitsForBus
{
    public static void Run()
    {
        DeviceBus bus = new();
        Use(bus);
        Ready.WhenAtRest(() => bus.IsDraining, Thread.CurrentThread);
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Use(DeviceBus bus) => new Scanner(bus).Scan();

    private sealed class DeviceBus
    {
        private readonly BlockingCollection<int> _commands = [.. Enumerable.Range(0, 100_000)];
        private readonly ManualResetEventSlim _idle = new();

        public DeviceBus() => new Thread(Pump) { Name = "bus", IsBackground = true }.Start();

        public bool IsDraining { get; private set; }

        public void Drain()
        {
            IsDraining = true;
            _idle.Wait();
        }

        // A device answers after a time that is its own affair: the next command is tried until then.
        private void Pump()
        {
            while (_commands.TryTake(out _, 1000))
            {
                using ManualResetEventSlim answer = new();
                answer.Wait(50);
            }

            _idle.Set();
        }
    }

    private sealed class Scanner(DeviceBus bus)
    {
        ~Scanner() => bus.Drain();

        public void Scan() => GC.KeepAlive(bus);
    }
}
