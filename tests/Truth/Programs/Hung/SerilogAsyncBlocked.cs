using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Serilog;
using Serilog.Core;
using Serilog.Events;
using Truth.Children;

namespace Truth.Hung;

/// <summary>Serilog's background worker sends to a log server that does not read; its queue is full, and who logs waits.</summary>
internal static class SerilogAsyncBlocked
{
    private static int s_logged;
    private static int s_sending;

    public static void Run()
    {
        int port = Child.StartServer("child-deaf");
        using Logger log = new LoggerConfiguration()
            .WriteTo.Async(sinks => sinks.Sink(new TcpLogSink(port)), bufferSize: 50, blockWhenFull: true)
            .CreateLogger();
        int last = 0;
        Ready.WhenAtRest(
            () => Volatile.Read(ref s_sending) == 1 && Interlocked.Exchange(ref last, Volatile.Read(ref s_logged)) == Volatile.Read(ref s_logged),
            Thread.CurrentThread);
        ImportAll(log);
    }

    private static void ImportAll(Logger log)
    {
        string row = new('x', 10_000);
        for (int i = 0; i < 1_000_000; i++)
        {
            log.Information("row {Number}: {Row}", i, row);
            Interlocked.Increment(ref s_logged);
        }
    }

    private sealed class TcpLogSink : ILogEventSink
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

        public TcpLogSink(int port) => _socket.Connect(IPAddress.Loopback, port);

        public void Emit(LogEvent logEvent)
        {
            byte[] line = Encoding.UTF8.GetBytes(logEvent.RenderMessage(CultureInfo.InvariantCulture) + "\n");
            Interlocked.Exchange(ref s_sending, 1);
            _socket.Send(line);
            Interlocked.Exchange(ref s_sending, 0);
        }
    }
}
