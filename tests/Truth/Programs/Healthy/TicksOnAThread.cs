namespace Truth.Healthy;

/// <summary>A thread of its own waits for the ticks of a periodic timer and reads a gauge at each.</summary>
internal static class TicksOnAThread
{
    public static void Run()
    {
        Gauge gauge = new();
        Thread reader = new(gauge.Read) { Name = "gauge" };
        reader.Start();
        Ready.When(() => gauge.Readings > 2);
        reader.Join();
    }

    private sealed class Gauge
    {
        public int Readings { get; private set; }

        public void Read()
        {
            using PeriodicTimer ticks = new(TimeSpan.FromMilliseconds(400));
            while (ticks.WaitForNextTickAsync().AsTask().GetAwaiter().GetResult())
            {
                Readings++;
            }
        }
    }
}
