using System.Threading.Channels;

namespace Truth.Hung;

/// <summary>Two actors handle one message at a time, and each asks the other while it handles one.</summary>
internal static class ActorsAskEachOther
{
    private static readonly StockActor s_stock = new();
    private static readonly OrderActor s_orders = new();

    public static async Task RunAsync()
    {
        s_orders.Start();
        s_stock.Start();
        s_orders.Tell(new Message("place"));
        s_stock.Tell(new Message("count"));
        Ready.WhenStill(() => s_orders.IsBusy && s_stock.IsBusy && s_orders.Queued == 1 && s_stock.Queued == 1);
        await Task.Delay(Timeout.Infinite);
    }

    private sealed record Message(string Text)
    {
        public TaskCompletionSource<int> Reply { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    private abstract class Actor
    {
        private readonly Channel<Message> _mailbox = Channel.CreateUnbounded<Message>();
        private volatile bool _isBusy;

        public bool IsBusy => _isBusy;

        public int Queued => _mailbox.Reader.Count;

        public void Start() => _ = Task.Run(ReceiveAsync);

        public void Tell(Message message) => _mailbox.Writer.TryWrite(message);

        public Task<int> AskAsync(string text)
        {
            Message message = new(text);
            Tell(message);
            return message.Reply.Task;
        }

        protected abstract Task<int> HandleAsync(Message message);

        private async Task ReceiveAsync()
        {
            await foreach (Message message in _mailbox.Reader.ReadAllAsync())
            {
                _isBusy = true;
                message.Reply.SetResult(await HandleAsync(message));
                _isBusy = false;
            }
        }
    }

    private sealed class OrderActor : Actor
    {
        protected override async Task<int> HandleAsync(Message message)
        {
            await WaitUntilAsync(() => s_stock.IsBusy);
            return await s_stock.AskAsync("available?");
        }
    }

    private sealed class StockActor : Actor
    {
        protected override async Task<int> HandleAsync(Message message)
        {
            await WaitUntilAsync(() => s_orders.IsBusy);
            return await s_orders.AskAsync("open orders?");
        }
    }

    private static async Task WaitUntilAsync(Func<bool> condition)
    {
        while (!condition())
        {
            await Task.Delay(1);
        }
    }
}
