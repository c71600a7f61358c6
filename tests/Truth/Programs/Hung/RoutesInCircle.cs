namespace Truth.Hung;

/// <summary>
/// The line of a ring of stations leads back to its first one: a thread counts what can be reached, keeps no account of where it has
/// been, and Main waits for its end.
/// </summary>
internal static class RoutesInCircle
{
    public static void Run()
    {
        Station[] ring = [.. Enumerable.Range(0, 40).Select(_ => new Station())];
        for (int i = 0; i < ring.Length; i++)
        {
            ring[i].Next.Add(ring[(i + 1) % ring.Length]);
        }

        Thread planner = new(() => Console.WriteLine(CountFrom(ring[0]))) { Name = "planner", IsBackground = true };
        planner.Start();
        Ready.WhenAtRest(() => planner.IsAlive, Thread.CurrentThread);
        planner.Join();
    }

    private static int CountFrom(Station first)
    {
        Queue<Station> open = new([first]);
        int count = 0;
        while (open.Count > 0)
        {
            Station station = open.Dequeue();
            count++;
            foreach (Station next in station.Next)
            {
                open.Enqueue(next);
            }
        }

        return count;
    }

    private sealed class Station
    {
        public List<Station> Next { get; } = [];
    }
}
