using System.Collections.Concurrent;

namespace Truth.Healthy;

/// <summary>All who ask for the same price list share one load, which takes some minutes and ends.</summary>
internal static class LoadShared
{
    private const int Sharing = 6;

    private static readonly TimeSpan s_load = TimeSpan.FromMinutes(4);

    private static int s_shared;

    public static async Task RunAsync()
    {
        PriceLists lists = new();
        Task<string>[] asking = [.. Enumerable.Range(0, Sharing + 1).Select(_ => lists.GetAsync("spring"))];
        Ready.When(() => Volatile.Read(ref s_shared) == Sharing);
        Console.WriteLine((await Task.WhenAll(asking)).Length);
    }

    private sealed class PriceLists
    {
        private readonly ConcurrentDictionary<string, TaskCompletionSource<string>> _loading = new(StringComparer.Ordinal);

        public async Task<string> GetAsync(string season)
        {
            TaskCompletionSource<string> mine = new(TaskCreationOptions.RunContinuationsAsynchronously);
            TaskCompletionSource<string> current = _loading.GetOrAdd(season, mine);
            if (current != mine)
            {
                Interlocked.Increment(ref s_shared);
                return await current.Task;
            }

            try
            {
                string list = await LoadAsync(season);
                mine.SetResult(list);
                return list;
            }
            catch (Exception e)
            {
                mine.SetException(e);
                throw;
            }
            finally
            {
                _loading.TryRemove(season, out _);
            }
        }

        private static async Task<string> LoadAsync(string season)
        {
            await Task.Delay(s_load);
            return season + " list";
        }
    }
}
