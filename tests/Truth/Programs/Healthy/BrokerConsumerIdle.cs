using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Truth.Children;

namespace Truth.Healthy;

/// <summary>As a client of a message broker: one thread reads the connection, one consumes a queue that is mostly empty.</summary>
internal static class BrokerConsumerIdle
{
    public static void Run()
    {
        int port = Child.StartServer("child-feed");
        using ManualResetEventSlim exit = new();
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            context.Cancel = true;
            exit.Set();
        });
        Connection connection = new(port);
        connection.Start();
        Ready.When(() => connection.Consumed > 1);
        exit.Wait();
    }

    private sealed class Connection(int port)
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        private readonly BlockingCollection<int> _deliveries = [];
        private int _consumed;

        public int Consumed => Volatile.Read(ref _consumed);

        public void Start()
        {
            _socket.Connect(IPAddress.Loopback, port);
            new Thread(MainLoop) { Name = "amqp-loop", IsBackground = true }.Start();
            new Thread(Consume) { Name = "consumer", IsBackground = true }.Start();
        }

        private void MainLoop()
        {
            byte[] frame = new byte[1024];
            while (_socket.Receive(frame) is int length and > 0)
            {
                _deliveries.Add(length);
            }

            _deliveries.CompleteAdding();
        }

        private void Consume()
        {
            foreach (int _ in _deliveries.GetConsumingEnumerable())
            {
                Interlocked.Increment(ref _consumed);
            }
        }
    }
}
