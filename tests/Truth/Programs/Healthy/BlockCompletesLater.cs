using System.Threading.Tasks.Dataflow;

namespace Truth.Healthy;

/// <summary>An import awaits the completion of its last block, which stores one batch after the other; a timer closes the input of another in the end.</summary>
internal static class BlockCompletesLater
{
    public static async Task RunAsync()
    {
        ActionBlock<int> store = new(StoreAsync);
        ActionBlock<int> feed = new(static _ => { });
        using Timer close = new(static state => ((ActionBlock<int>)state!).Complete(), feed, TimeSpan.FromMinutes(2), Timeout.InfiniteTimeSpan);
        for (int batch = 0; batch < 1000; batch++)
        {
            store.Post(batch);
        }

        store.Complete();
        Ready.When(() => store.InputCount is > 0 and < 990);
        await Task.WhenAll(EndOf(store), EndOf(feed));
    }

    private static async Task EndOf(ActionBlock<int> block) => await block.Completion;

    private static async Task StoreAsync(int batch)
    {
        await Task.Delay(100);
        Console.WriteLine($"stored {batch}");
    }
}
