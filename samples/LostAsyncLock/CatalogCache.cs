namespace LostAsyncLock;

/// <summary>A cache behind an async lock, which an exception leaves taken.</summary>
internal sealed class CatalogCache : IDisposable
{
    private readonly SemaphoreSlim _gate = new(1, 1);
    private int _waiting;

    public int Waiting => Volatile.Read(ref _waiting);

    public async Task<string> GetAsync(int item)
    {
        Task entered = _gate.WaitAsync();
        if (!entered.IsCompleted)
        {
            Interlocked.Increment(ref _waiting);
        }

        await entered;
        string found = Find(item);
        _gate.Release();
        return found;
    }

    public void Dispose() => _gate.Dispose();

    // The first caller asks for an item that is not there, and never comes to its Release.
    private static string Find(int item) => item > 0 ? $"item {item}" : throw new KeyNotFoundException("no such item");
}
