namespace Truth.Healthy;

/// <summary>Two long lookups have the sessions; others wait for their turn, and new ones come in.</summary>
internal static class ShelfLent
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_lookup = TimeSpan.FromSeconds(60);

    public static async Task RunAsync()
    {
        SessionShelf shelf = new(2);
        Geocoder geocoder = new(shelf);
        Task asking = AskAsync(geocoder);
        Ready.When(() => shelf.Waiting >= 4);
        await asking;
    }

    private static async Task AskAsync(Geocoder geocoder)
    {
        List<Task> all = [];
        for (int order = 0; order < 40; order++)
        {
            await Task.Delay(order < 6 ? s_pause : s_lookup);
            all.Add(geocoder.LookupAsync());
        }

        await Task.WhenAll(all);
    }

    private sealed class Geocoder(SessionShelf shelf)
    {
        public async Task LookupAsync()
        {
            SessionShelf.ShelfSession session = await shelf.TakeAsync();
            try
            {
                await Task.Delay(s_lookup);
            }
            finally
            {
                shelf.PutBack(session);
            }
        }
    }
}
