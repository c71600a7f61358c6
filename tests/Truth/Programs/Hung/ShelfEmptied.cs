namespace Truth.Hung;

/// <summary>
/// A lookup that fails does not put its session back. When all are out, every later one waits, while new lookups come in and a counter is
/// printed.
/// </summary>
internal static class ShelfEmptied
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(50);

    public static async Task RunAsync()
    {
        SessionShelf shelf = new(2);
        Geocoder geocoder = new(shelf);
        Task asking = AskAsync(geocoder);
        Ready.When(() => shelf.Waiting >= 6);
        await asking;
    }

    private static async Task AskAsync(Geocoder geocoder)
    {
        List<Task> all = [];
        for (int order = 0; order < 100_000; order++)
        {
            await Task.Delay(order < 8 ? s_pause : s_pause * 100);
            all.Add(geocoder.LookupAsync(order));
            Console.WriteLine(geocoder.Refused);
        }

        await Task.WhenAll(all);
    }

    private sealed class Geocoder(SessionShelf shelf)
    {
        public int Refused { get; private set; }

        public async Task LookupAsync(int order)
        {
            try
            {
                SessionShelf.ShelfSession session = await shelf.TakeAsync();
                await ResolveAsync(order);
                shelf.PutBack(session);
            }
            catch (FormatException)
            {
                Refused++;
            }
        }

        private static async Task ResolveAsync(int order)
        {
            await Task.Delay(10);
            if (order < 2)
            {
                throw new FormatException();
            }
        }
    }
}
