using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Truth.Hung;

/// <summary>
/// Four pages are set at once, each after its proof has come. The proof of one is withdrawn and forgotten; the others go on for long.
/// </summary>
internal static class PageForgotten
{
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(600);

    public static async Task RunAsync()
    {
        Proofs proofs = new();
        using Timer post = new(_ => proofs.Come(-1), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        int set = 0;
        Task issue = SetAsync(proofs, () => Interlocked.Increment(ref set));
        SpinWait.SpinUntil(() => Volatile.Read(ref set) == 4);
        Withdraw(proofs);
        Ready.WhenStill(() => !issue.IsCompleted);
        await issue;
    }

    private static Task SetAsync(Proofs proofs, Action begins)
        => Parallel.ForEachAsync(Enumerable.Range(0, 4), new ParallelOptions { MaxDegreeOfParallelism = 4 }, async (page, stop) =>
        {
            Task proof = page == 0 ? proofs.Of(page) : Task.Delay(s_long, stop);
            begins();
            await proof;
        });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Withdraw(Proofs proofs) => proofs.Drop(0);

    private sealed class Proofs
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource> _open = new();

        public Task Of(int page) => _open.GetOrAdd(page, static _ => new TaskCompletionSource()).Task;

        public void Come(int page)
        {
            if (_open.TryRemove(page, out TaskCompletionSource? open))
            {
                open.SetResult();
            }
        }

        public void Drop(int page) => _open.TryRemove(page, out _);
    }
}
