namespace Truth.Healthy;

/// <summary>A gauge that is read at each tick follows the forecast up to a level, and stays there. Nobody waits for the level.</summary>
internal static class GaugeFollows
{
    public static async Task RunAsync()
    {
        Gauge gauge = new();
        Task reading = gauge.ReadAsync();
        Ready.When(() => gauge.Level >= 3);
        await reading;
    }

    private sealed class Gauge
    {
        private double _level;

        public double Level => Volatile.Read(ref _level);

        public async Task ReadAsync()
        {
            using PeriodicTimer tick = new(TimeSpan.FromMilliseconds(100));
            while (await tick.WaitForNextTickAsync())
            {
                if (Level < 3)
                {
                    Volatile.Write(ref _level, Level + 0.5);
                }
            }
        }
    }
}
