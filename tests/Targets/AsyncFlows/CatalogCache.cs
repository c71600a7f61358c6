using static AsyncFlows.Expected;

namespace AsyncFlows;

/// <summary>A cache whose gate somebody took and never gave back.</summary>
internal sealed class CatalogCache : IDisposable
{
    private readonly SemaphoreSlim _gate = new(1, 1);

    public void Dispose() => _gate.Dispose();

    public Task TakeAsync() => _gate.WaitAsync();

    public async Task<int> GetAsync(int key)
    {
        await At(_gate.WaitAsync()).ConfigureAwait(false);
        return key;
    }

    public async Task<int> GetWithTimeoutAsync(CancellationToken token)
    {
        await At(_gate.WaitAsync(TimeSpan.FromHours(1), token)).ConfigureAwait(false);
        return 0;
    }
}
