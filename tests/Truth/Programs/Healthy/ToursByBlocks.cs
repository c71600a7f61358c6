using System.Threading.Tasks.Dataflow;

namespace Truth.Healthy;

/// <summary>
/// Three desks hand requests to a planner, a small block, and can be called off; a dispatcher behind it takes most of a second for each
/// tour. The desks wait for room, and get it.
/// </summary>
internal static class ToursByBlocks
{
    public static async Task RunAsync()
    {
        using CancellationTokenSource closing = new();
        Plant plant = new();
        Task desks = Task.WhenAll(Enumerable.Range(0, 3).Select(_ => HandInAsync(plant, closing.Token)));
        Ready.When(() => plant.Dispatched > 2 && plant.Waiting == 3);
        await desks;
    }

    private static async Task HandInAsync(Plant plant, CancellationToken closing)
    {
        for (int number = 0; !closing.IsCancellationRequested; number++)
        {
            await plant.SubmitAsync(number, closing);
        }
    }

    private sealed class Plant
    {
        private readonly TransformBlock<int, string> _planner;
        private int _dispatched;
        private int _waiting;

        public Plant()
        {
            _planner = new TransformBlock<int, string>(
                static number => $"tour {number}", new ExecutionDataflowBlockOptions { BoundedCapacity = 4 });
            _planner.LinkTo(new ActionBlock<string>(DispatchAsync, new ExecutionDataflowBlockOptions { BoundedCapacity = 2 }));
        }

        public int Dispatched => Volatile.Read(ref _dispatched);

        public int Waiting => Volatile.Read(ref _waiting);

        public async Task SubmitAsync(int number, CancellationToken closing)
        {
            Interlocked.Increment(ref _waiting);
            await _planner.SendAsync(number, closing);
            Interlocked.Decrement(ref _waiting);
        }

        private async Task DispatchAsync(string tour)
        {
            await Task.Delay(600 + tour.Length);
            Interlocked.Increment(ref _dispatched);
        }
    }
}
