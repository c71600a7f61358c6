using System.Threading.Tasks.Dataflow;

namespace Truth.Hung;

/// <summary>
/// A sorter is linked to two belts, each for parcels of its kind; one parcel is of neither kind and stays at the head of what the sorter
/// has sorted, so that the desks in front of it get no more room. A panel shows the numbers once a second.
/// </summary>
internal static class LabelOfNoLink
{
    public static async Task RunAsync()
    {
        Plant plant = new();
        await using Timer panel = new(_ => plant.Show(), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        Task[] desks = [.. Enumerable.Range(0, 3).Select(desk => HandInAsync(plant, desk))];
        Ready.WhenStill(() => plant.Sorted > 0 && plant.Waiting == desks.Length);
        await Task.WhenAll(desks);
    }

    private static async Task HandInAsync(Plant plant, int desk)
    {
        for (int number = 0; ; number++)
        {
            await plant.AcceptAsync(desk == 1 && number == 4 ? "oversize" : number % 2 == 0 ? "domestic" : "abroad");
        }
    }

    private sealed class Plant
    {
        private readonly BufferBlock<string> _scanned = new(new DataflowBlockOptions { BoundedCapacity = 4 });
        private readonly TransformBlock<string, string> _sorter;
        private int _sorted;
        private int _waiting;

        public Plant()
        {
            _sorter = new TransformBlock<string, string>(static label => label, new ExecutionDataflowBlockOptions { BoundedCapacity = 4 });
            _scanned.LinkTo(_sorter);
            _sorter.LinkTo(Belt(), static label => label == "domestic");
            _sorter.LinkTo(Belt(), static label => label == "abroad");
        }

        public int Sorted => Volatile.Read(ref _sorted);

        public int Waiting => Volatile.Read(ref _waiting);

        public void Show() => Console.WriteLine($"{Sorted} sorted, {_scanned.Count} scanned, {_sorter.OutputCount} to be taken");

        public async Task AcceptAsync(string label)
        {
            Interlocked.Increment(ref _waiting);
            await _scanned.SendAsync(label);
            Interlocked.Decrement(ref _waiting);
        }

        private ActionBlock<string> Belt() => new(_ => Interlocked.Increment(ref _sorted));
    }
}
