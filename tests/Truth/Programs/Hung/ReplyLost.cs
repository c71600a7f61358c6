using System.Collections.Concurrent;
using System.Threading.Channels;

namespace Truth.Hung;

/// <summary>Requests and replies over one wire, joined by an id. The loop that reads replies ended on one that it could not read.</summary>
internal static class ReplyLost
{
    public static async Task RunAsync()
    {
        RpcClient client = new();
        client.Start();
        Task<string>[] answers = [client.AskAsync("rates"), client.AskAsync("limits"), client.AskAsync("holidays")];
        client.Receive(new Reply(99, "an id that nobody asked with"));
        Ready.WhenStill(() => client.HasLoopEnded);
        Console.WriteLine((await Task.WhenAll(answers)).Length);
    }

    private sealed record Reply(int Id, string Text);

    private sealed class RpcClient
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<string>> _pending = new();
        private readonly Channel<Reply> _wire = Channel.CreateUnbounded<Reply>();
        private Task? _loop;
        private int _lastId;

        public bool HasLoopEnded => _loop!.IsCompleted;

        public void Start() => _loop = Task.Run(ReceiveLoopAsync);

        public void Receive(Reply reply) => _wire.Writer.TryWrite(reply);

        public async Task<string> AskAsync(string question)
        {
            int id = Interlocked.Increment(ref _lastId);
            TaskCompletionSource<string> reply = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _pending[id] = reply;
            return $"{question}: {await reply.Task}";
        }

        private async Task ReceiveLoopAsync()
        {
            await foreach (Reply reply in _wire.Reader.ReadAllAsync())
            {
                if (!_pending.TryRemove(reply.Id, out TaskCompletionSource<string>? asked))
                {
                    throw new InvalidDataException($"nobody asked {reply.Id}");
                }

                asked.SetResult(reply.Text);
            }
        }
    }
}
