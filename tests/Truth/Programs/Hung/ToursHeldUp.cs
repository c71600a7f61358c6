using System.Threading.Tasks.Dataflow;

namespace Truth.Hung;

/// <summary>
/// Three desks hand requests to a planner, a small block, and can be called off. The dispatcher behind it waits for a driver who was to be
/// called when a tour with his number came back, and whose tour was lost. A panel shows the numbers once a second.
/// </summary>
internal static class ToursHeldUp
{
    public static async Task RunAsync()
    {
        using CancellationTokenSource closing = new();
        Plant plant = new();
        await using Timer panel = new(_ => Console.WriteLine($"{plant.Dispatched} dispatched"), null, 1_000, 1_000);
        Task desks = Task.WhenAll(Enumerable.Range(0, 3).Select(_ => HandInAsync(plant, closing.Token)));
        Ready.WhenStill(() => plant.Dispatched > 2 && plant.Waiting == 3);
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
        private readonly Dictionary<string, TaskCompletionSource> _drivers = [];
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
            TaskCompletionSource driver = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _drivers[tour] = driver;
            _ = ReturnAsync(tour);
            await driver.Task;
            Interlocked.Increment(ref _dispatched);
        }

        private async Task ReturnAsync(string tour)
        {
            await Task.Delay(20);
            if (!tour.EndsWith('5') && _drivers.Remove(tour, out TaskCompletionSource? driver))
            {
                driver.SetResult();
            }
        }
    }
}
