using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Truth.Hung;

/// <summary>
/// A round waits for the receipts of all its parcels. One is withdrawn: its promise is forgotten, and collected by the time one looks.
/// </summary>
internal static class PartForgotten
{
    public static async Task RunAsync()
    {
        Receipts receipts = new();
        using Timer postbox = new(_ => receipts.Sign(0), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        Task round = DeliverAsync(receipts);
        Withdraw(receipts);
        GC.Collect();
        Ready.WhenStill(() => !round.IsCompleted);
        await round;
    }

    private static async Task DeliverAsync(Receipts receipts)
    {
        await Task.WhenAll(Task.Delay(TimeSpan.FromSeconds(600)), receipts.Of(1));
        Console.WriteLine("delivered");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Withdraw(Receipts receipts) => receipts.Drop(1);

    private sealed class Receipts
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource> _open = new();

        public Task Of(int parcel) => _open.GetOrAdd(parcel, static _ => new TaskCompletionSource()).Task;

        public void Sign(int parcel)
        {
            if (_open.TryRemove(parcel, out TaskCompletionSource? open))
            {
                open.SetResult();
            }
        }

        public void Drop(int parcel) => _open.TryRemove(parcel, out _);
    }
}
