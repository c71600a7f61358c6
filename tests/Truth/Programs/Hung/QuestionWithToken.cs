using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>An order waits for an answer that nobody gives; its cancellation token is one that nobody cancels.</summary>
internal static class QuestionWithToken
{
    private static readonly Desk s_desk = new();

    public static async Task RunAsync()
    {
        using CancellationTokenSource source = new();
        Ready.WhenStill(() => s_desk.Open > 0);
        await OrderAsync(source.Token);
    }

    private static async Task OrderAsync(CancellationToken cancellation) => Console.WriteLine(await s_desk.AskAsync(7, cancellation));

    private sealed class Desk
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<string>> _open = new();

        public int Open => _open.Count;

        public async Task<string> AskAsync(int id, CancellationToken cancellation)
        {
            TaskCompletionSource<string> answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _open[id] = answer;
            return await answer.Task.WaitAsync(cancellation);
        }
    }
}
