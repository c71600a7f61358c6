using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;

namespace Truth.Healthy;

/// <summary>
/// Threads send lines to the process's own port, which fills a pipe for each; who decodes these writes to a small channel, and the archive
/// takes some out of it each second. All before it wait for room.
/// </summary>
internal static class LinesIntoSlowArchive
{
    private const int Line = 16;

    private static int s_archived;

    public static void Run()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.ReceiveBufferSize = 4096;
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Channel<int> archive = Channel.CreateBounded<int>(4);
        _ = AcceptAsync(listener, archive.Writer);
        Task archiving = ArchiveAsync(archive.Reader);
        EndPoint port = listener.LocalEndPoint!;
        Thread[] senders = [.. Enumerable.Range(0, 3).Select(number => new Thread(Send) { Name = $"sender {number}" })];
        Array.ForEach(senders, sender => sender.Start(port));
        Ready.When(() => Volatile.Read(ref s_archived) > 12);
        archiving.Wait();
    }

    private static void Send(object? port)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { SendBufferSize = 4096 };
        socket.Connect((EndPoint)port!);
        byte[] line = new byte[Line];
        while (true)
        {
            socket.Send(line);
        }
    }

    private static async Task AcceptAsync(Socket listener, ChannelWriter<int> archive)
    {
        while (true)
        {
            Socket connection = await listener.AcceptAsync();
            Pipe pipe = new(new PipeOptions(pauseWriterThreshold: 2048, resumeWriterThreshold: 1024));
            _ = FillAsync(connection, pipe.Writer);
            _ = DecodeAsync(pipe.Reader, archive);
        }
    }

    private static async Task FillAsync(Socket connection, PipeWriter lines)
    {
        while (await connection.ReceiveAsync(lines.GetMemory(512)) is > 0 and int count)
        {
            lines.Advance(count);
            await lines.FlushAsync();
        }
    }

    private static async Task DecodeAsync(PipeReader lines, ChannelWriter<int> archive)
    {
        while (true)
        {
            ReadResult read = await lines.ReadAsync();
            long whole = read.Buffer.Length / Line;
            for (int number = 0; number < whole; number++)
            {
                await archive.WriteAsync(number);
            }

            lines.AdvanceTo(read.Buffer.GetPosition(whole * Line), read.Buffer.End);
        }
    }

    private static async Task ArchiveAsync(ChannelReader<int> lines)
    {
        while (true)
        {
            for (int number = 0; number < 4; number++)
            {
                await lines.ReadAsync();
                Interlocked.Increment(ref s_archived);
            }

            await Task.Delay(1_000);
        }
    }
}
