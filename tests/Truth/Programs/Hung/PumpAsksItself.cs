using System.Net;
using System.Net.Sockets;

namespace Truth.Hung;

/// <summary>
/// Orders come over a connection. Who handles one asks over the same connection whether it is confirmed, and waits for the answer, which
/// only the loop that has called it would read. The program runs until Ctrl+C.
/// </summary>
internal static class PumpAsksItself
{
    private const byte Order = 1;
    private const byte Ask = 2;
    private const byte Confirmed = 3;

    public static async Task RunAsync()
    {
        Stop stop = new();
        Console.CancelKeyPress += stop.OnCancel;
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        using TcpClient client = new();
        await client.ConnectAsync((IPEndPoint)listener.LocalEndpoint);
        using TcpClient exchange = await listener.AcceptTcpClientAsync();
        listener.Stop();
        Task answering = AnswerAsync(exchange.GetStream());
        Desk desk = new(client.GetStream());
        Task pumping = desk.PumpAsync();
        Ready.When(() => desk.IsAsking);
        await stop.Told;
        desk.Close();
        await Task.WhenAll(answering, pumping);
    }

    private static async Task AnswerAsync(NetworkStream stream)
    {
        await Task.Delay(100);
        await stream.WriteAsync(new[] { Order });
        byte[] buffer = new byte[1];
        while (await stream.ReadAsync(buffer) > 0)
        {
            if (buffer[0] == Ask)
            {
                await stream.WriteAsync(new[] { Confirmed });
            }
        }
    }

    private sealed class Stop
    {
        private readonly TaskCompletionSource _told = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Told => _told.Task;

        public void OnCancel(object? sender, ConsoleCancelEventArgs e)
        {
            e.Cancel = true;
            _told.TrySetResult();
        }
    }

    private sealed class Desk(NetworkStream stream)
    {
        private readonly ManualResetEvent _confirmed = new(false);

        public bool IsAsking { get; private set; }

        public async Task PumpAsync()
        {
            byte[] buffer = new byte[1];
            while (await stream.ReadAsync(buffer) > 0)
            {
                OnMessage(buffer[0]);
            }
        }

        public void Close()
        {
            _confirmed.Set();
            stream.Close();
        }

        private void OnMessage(byte kind)
        {
            if (kind == Order)
            {
                OnOrder();
            }
            else if (kind == Confirmed)
            {
                _confirmed.Set();
            }
        }

        private void OnOrder()
        {
            Console.WriteLine("order");
            Book(isConfirmed: Confirm());
        }

        private bool Confirm()
        {
            stream.Write([Ask]);
            IsAsking = true;
            return _confirmed.WaitOne();
        }

        private static void Book(bool isConfirmed) => Console.WriteLine(isConfirmed);
    }
}
