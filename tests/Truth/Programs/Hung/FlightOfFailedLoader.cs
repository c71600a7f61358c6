namespace Truth.Hung;

/// <summary>Of three threads that want the same rate the first loads it and fails; the others wait for its promise, and Main for them.</summary>
internal static class FlightOfFailedLoader
{
    public static void Run()
    {
        RateCache cache = new();
        Thread[] desks = [.. Enumerable.Range(1, 3).Select(number => new Thread(() => Quote(cache)) { Name = $"desk {number}" })];
        foreach (Thread desk in desks)
        {
            desk.Start();
        }

        Ready.When(() => desks.Count(desk => desk.IsAlive) == 2);
        foreach (Thread desk in desks)
        {
            desk.Join();
        }
    }

    private static void Quote(RateCache cache)
    {
        try
        {
            cache.Get("usd");
        }
        catch (HttpRequestException e)
        {
            Console.Error.WriteLine(e.Message);
        }
    }

    private sealed class RateCache
    {
        private readonly Dictionary<string, TaskCompletionSource<decimal>> _flights = [];

        public decimal Get(string currency)
        {
            TaskCompletionSource<decimal>? flight;
            lock (_flights)
            {
                if (!_flights.TryGetValue(currency, out flight))
                {
                    _flights[currency] = flight = new TaskCompletionSource<decimal>();
                    goto Load;
                }
            }

            return flight.Task.GetAwaiter().GetResult();

        Load:
            flight.SetResult(Fetch(currency));
            return flight.Task.Result;
        }

        private static decimal Fetch(string currency)
        {
            Thread.Sleep(300);
            throw new HttpRequestException($"no rate for {currency}");
        }
    }
}
