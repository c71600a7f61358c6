using System.Threading.Tasks.Dataflow;

namespace Truth.Healthy;

/// <summary>A Dataflow pipeline between two posts of a timer; the first thread awaits its completion, which Ctrl+C brings.</summary>
internal static class DataflowIdle
{
    private static int s_stored;

    public static async Task RunAsync()
    {
        TransformBlock<int, string> parse = new(number => $"{number}", new ExecutionDataflowBlockOptions { BoundedCapacity = 8 });
        ActionBlock<string> store = new(_ => Interlocked.Increment(ref s_stored), new ExecutionDataflowBlockOptions { BoundedCapacity = 8 });
        parse.LinkTo(store, new DataflowLinkOptions { PropagateCompletion = true });
        Console.CancelKeyPress += (_, e) =>
        {
            e.Cancel = true;
            parse.Complete();
        };
        using Timer source = new(_ => parse.Post(1), null, 0, 300);
        Ready.When(() => Volatile.Read(ref s_stored) > 1);
        await store.Completion;
    }
}
