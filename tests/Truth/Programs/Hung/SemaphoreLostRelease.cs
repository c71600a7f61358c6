using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;
using Truth.Children;

namespace Truth.Hung;

/// <summary>A web server whose cache is guarded by a semaphore. One request failed between WaitAsync and Release; eight wait.</summary>
internal static class SemaphoreLostRelease
{
    private const int Requests = 8;

    public static void Run()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        WebApplication app = builder.Build();
        app.Urls.Add("http://127.0.0.1:0");
        CatalogCache cache = new();
        app.MapGet("/{key}", (string key) => cache.GetAsync(key));
        app.Lifetime.ApplicationStarted.Register(() => Child.Start("child-clients", app.Urls.First(), "/missing", "/boots", $"{Requests}"));
        Ready.WhenStill(() => cache.Asked == Requests + 1);
        app.Run();
    }

    internal sealed class CatalogCache
    {
        private readonly SemaphoreSlim _gate = new(1, 1);
        private readonly Dictionary<string, string> _items = [];
        private int _asked;

        public int Asked => Volatile.Read(ref _asked);

        public async Task<string> GetAsync(string key)
        {
            Interlocked.Increment(ref _asked);
            await _gate.WaitAsync();
            if (!_items.TryGetValue(key, out string? item))
            {
                item = await LoadAsync(key);
                _items.Add(key, item);
            }

            _gate.Release();
            return item;
        }

        private static async Task<string> LoadAsync(string key)
        {
            await Task.Yield();
            return key != "missing" ? key.ToUpperInvariant() : throw new KeyNotFoundException(key);
        }
    }
}
