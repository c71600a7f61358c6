namespace Truth.Healthy;

/// <summary>
/// Stations lead to each other in circles; a thread counts again and again what can be reached and keeps a set of where it has been, and
/// Main waits for its end.
/// </summary>
internal static class RoutesVisited
{
    private static int s_counts;

    public static void Run()
    {
        Station[] ring = [.. Enumerable.Range(0, 20_000).Select(_ => new Station())];
        for (int i = 0; i < ring.Length; i++)
        {
            ring[i].Next.Add(ring[(i + 1) % ring.Length]);
            ring[i].Next.Add(ring[i * 7 % ring.Length]);
        }

        Thread planner = new(() =>
        {
            while (CountFrom(ring[0]) == ring.Length)
            {
                Interlocked.Increment(ref s_counts);
            }
        })
        { Name = "planner", IsBackground = true };
        planner.Start();
        Ready.WhenAtRest(() => Volatile.Read(ref s_counts) > 3, Thread.CurrentThread);
        planner.Join();
    }

    private static int CountFrom(Station first)
    {
        Queue<Station> open = new([first]);
        HashSet<Station> seen = [];
        while (open.Count > 0)
        {
            Station station = open.Dequeue();
            if (seen.Add(station))
            {
                foreach (Station next in station.Next)
                {
                    open.Enqueue(next);
                }
            }
        }

        return seen.Count;
    }

    private sealed class Station
    {
        public List<Station> Next { get; } = [];
    }
}
