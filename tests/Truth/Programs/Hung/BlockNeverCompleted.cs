using System.Threading.Tasks.Dataflow;

namespace Truth.Hung;

/// <summary>An import completes the first block and awaits the last; the links between them do not pass the completion on. A timer of the service goes on.</summary>
internal static class BlockNeverCompleted
{
    public static async Task RunAsync()
    {
        using Timer metrics = new(static _ => GC.KeepAlive(GC.GetTotalMemory(false)), null, 100, 500);
        OrderImport import = new();
        Ready.When(() => import.Stored == 50);
        await import.RunAsync(Enumerable.Range(0, 57));
        GC.KeepAlive(metrics);
    }

    private sealed class OrderImport
    {
        private readonly TransformBlock<int, string> _parse = new(static number => $"order {number}");
        private readonly BatchBlock<string> _batches = new(10);
        private readonly ActionBlock<string[]> _store;

        public OrderImport()
        {
            _store = new ActionBlock<string[]>(batch => Stored += batch.Length);
            _parse.LinkTo(_batches);
            _batches.LinkTo(_store);
        }

        public int Stored { get; private set; }

        public async Task RunAsync(IEnumerable<int> orders)
        {
            foreach (int order in orders)
            {
                await _parse.SendAsync(order);
            }

            _parse.Complete();
            await _store.Completion;
        }
    }
}
