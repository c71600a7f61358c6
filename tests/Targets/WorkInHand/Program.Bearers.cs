namespace WorkInHand;

/// <content>Promises in the hands of those who wait themselves.</content>
internal static partial class Program
{
    private static readonly TaskCompletionSource<DateTime> s_stamp = new();

    private static void Bearers()
    {
        s_kept.Add(new Timer(_ => Stamp(), null, s_long, s_long));
        Paper paper = new();
        Expect("StampAsync", "-", StampAsync(paper));
        Expect("AskStampAsync", "-", AskStampAsync(paper));
    }

    private static async Task AskStampAsync(Paper paper) => s_kept.Add(await paper.Done.Task);

    // Some day, perhaps.
    private static void Stamp()
    {
        if (s_kept.Count > 1000)
        {
            s_stamp.TrySetResult(default);
        }
    }

    private static async Task StampAsync(Paper paper)
    {
        s_kept.Add(await s_stamp.Task);
        paper.Done.TrySetResult(1);
    }

    private sealed class Paper
    {
        public TaskCompletionSource<decimal> Done { get; } = new();
    }
}
