using System.Globalization;
using System.Threading.Channels;

namespace FailedGivers;

internal sealed record Order<T>(string Text)
{
    public TaskCompletionSource<T> Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}

// One bad order has ended its loop, and nobody has seen that.
internal sealed class DeadDesk
{
    private readonly Channel<Order<int>> _orders = Channel.CreateBounded<Order<int>>(4);
    private readonly Task _serving;
    private int _served;

    public DeadDesk() => _serving = ServeAsync();

    public bool IsDone => _serving.IsCompletedSuccessfully;

    public async Task AskDeadAsync()
    {
        Order<int> order = new("three");
        await _orders.Writer.WriteAsync(order);
        _served += await order.Done.Task;
    }

    private async Task ServeAsync()
    {
        await foreach (Order<int> order in _orders.Reader.ReadAllAsync())
        {
            order.Done.SetResult(int.Parse(order.Text, CultureInfo.InvariantCulture) + _served);
        }
    }
}
