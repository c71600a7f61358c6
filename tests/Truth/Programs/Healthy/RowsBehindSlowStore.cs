using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks.Dataflow;

namespace Truth.Healthy;

/// <summary>
/// Three threads send rows to a pipeline of two small blocks and wait for room; its last block sends each row to a slow store in the same
/// process and awaits the answer, which takes a second.
/// </summary>
internal static class RowsBehindSlowStore
{
    public static void Run()
    {
        TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        new Thread(Store) { Name = "store", IsBackground = true }.Start(listener);
        using TcpClient client = new("127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port);
        StoreClient store = new(client.GetStream());
        BufferBlock<int> rows = new(new DataflowBlockOptions { BoundedCapacity = 8 });
        ActionBlock<int> writer = new(store.WriteAsync, new ExecutionDataflowBlockOptions { BoundedCapacity = 2 });
        rows.LinkTo(writer, new DataflowLinkOptions { PropagateCompletion = true });
        Thread[] senders = [.. Enumerable.Range(0, 3).Select(number => new Thread(() => Send(rows, number)) { Name = $"sender {number}" })];
        Array.ForEach(senders, sender => sender.Start());
        Ready.When(() => store.Written > 2 && Array.TrueForAll(senders, sender => (sender.ThreadState & ThreadState.WaitSleepJoin) != 0));
        Array.ForEach(senders, sender => sender.Join());
    }

    private static void Send(ITargetBlock<int> rows, int number)
    {
        for (int row = number; row < 3_000; row += 3)
        {
            rows.SendAsync(row).GetAwaiter().GetResult();
        }
    }

    private static void Store(object? listener)
    {
        using TcpClient client = ((TcpListener)listener!).AcceptTcpClient();
        using StreamReader rows = new(client.GetStream());
        while (rows.ReadLine() is not null)
        {
            Thread.Sleep(1_000);
            client.GetStream().Write("ok\n"u8);
        }
    }

    private sealed class StoreClient(NetworkStream stream)
    {
        private readonly StreamReader _answers = new(stream);
        private int _written;

        public int Written => Volatile.Read(ref _written);

        public async Task WriteAsync(int row)
        {
            await stream.WriteAsync(System.Text.Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{row}\n")));
            if (await _answers.ReadLineAsync() != "ok")
            {
                throw new IOException("refused");
            }

            Interlocked.Increment(ref _written);
        }
    }
}
