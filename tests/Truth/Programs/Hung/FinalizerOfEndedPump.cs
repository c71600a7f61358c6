using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Truth.Hung;

/// <summary>
/// Finalizers hand their device to a bus and wait until it is idle; the bus's thread has ended. Two threads wait for the finalizers,
/// while others of the service go on.
/// </summary>
internal static class FinalizerOfEndedPump
{
    public static void Run()
    {
        using Timer metrics = new(static _ => GC.KeepAlive(GC.GetTotalMemory(false)), null, 100, 500);
        Thread heartbeat = new(Beat) { Name = "heartbeat", IsBackground = true };
        heartbeat.Start();
        DeviceBus bus = new();
        Use(bus);
        bus.Close();
        Thread cleaner = new(Clean) { Name = "cleaner", IsBackground = true };
        cleaner.Start();
        Ready.WhenAtRest(() => bus.IsDraining, cleaner, Thread.CurrentThread);
        GC.WaitForPendingFinalizers();
        GC.KeepAlive(metrics);
    }

    private static void Clean()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    private static void Beat()
    {
        using AutoResetEvent kick = new(false);
        while (true)
        {
            kick.WaitOne(1000);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Use(DeviceBus bus)
    {
        for (int i = 0; i < 5; i++)
        {
            new Scanner(bus).Scan();
        }
    }

    private sealed class DeviceBus
    {
        private readonly BlockingCollection<string> _commands = [];
        private readonly ManualResetEventSlim _idle = new();
        private readonly Thread _pump;

        public DeviceBus()
        {
            _pump = new Thread(Pump) { Name = "bus", IsBackground = true };
            _pump.Start();
        }

        public bool IsDraining { get; private set; }

        public void Close()
        {
            _commands.CompleteAdding();
            _pump.Join();
        }

        public void Drain()
        {
            IsDraining = true;
            _idle.Wait();
        }

        private void Pump()
        {
            foreach (string command in _commands.GetConsumingEnumerable())
            {
                Console.WriteLine(command);
                _idle.Set();
            }
        }
    }

    private sealed class Scanner(DeviceBus bus)
    {
        ~Scanner() => bus.Drain();

        public void Scan() => GC.KeepAlive(bus);
    }
}
