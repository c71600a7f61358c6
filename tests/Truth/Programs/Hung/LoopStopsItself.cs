using System.Threading.Channels;

namespace Truth.Hung;

/// <summary>
/// What comes in over a link is handled by the link's own loop. One message asks to sign in anew: the handler stops the link, and that
/// waits until both its loops have ended. Another link goes on.
/// </summary>
internal static class LoopStopsItself
{
    public static async Task RunAsync()
    {
        Link first = new(), second = new();
        Task sending = SendAsync(first, second);
        Ready.When(() => first.IsStopping && second.Handled > 5);
        await Task.WhenAll(sending, first.Ended, second.Ended);
    }

    private static async Task SendAsync(Link first, Link second)
    {
        for (int message = 0; ; message++)
        {
            await Task.Delay(50);
            first.Post(message == 5 ? "renew" : "rate");
            second.Post("rate");
        }
    }

    private sealed class Link
    {
        private readonly CancellationTokenSource _stop = new();
        private readonly Channel<string> _messages = Channel.CreateUnbounded<string>();
        private readonly Task _receiving;
        private readonly Task _beating;
        private int _handled;
        private bool _isStopping;

        public Link()
        {
            _receiving = Task.Run(ReceiveAsync);
            _beating = Task.Run(BeatAsync);
        }

        public Task Ended => _receiving;

        public int Handled => Volatile.Read(ref _handled);

        public bool IsStopping => Volatile.Read(ref _isStopping);

        public void Post(string message) => _messages.Writer.TryWrite(message);

        private async Task ReceiveAsync()
        {
            await foreach (string message in _messages.Reader.ReadAllAsync(_stop.Token))
            {
                await HandleAsync(message);
            }
        }

        private async Task BeatAsync()
        {
            while (!_stop.IsCancellationRequested)
            {
                await Task.Delay(100);
            }
        }

        private async Task HandleAsync(string message)
        {
            Interlocked.Increment(ref _handled);
            if (message == "renew")
            {
                await RenewAsync();
            }
        }

        private async Task RenewAsync()
        {
            Volatile.Write(ref _isStopping, true);
            await _stop.CancelAsync();
            await Task.WhenAll(_receiving, _beating);
        }
    }
}
