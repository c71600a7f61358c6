using System.Diagnostics;
using System.IO.Pipes;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;

namespace OutsideWaits;

/// <summary>
/// Threads in calls that wait for something outside the process, each printed as the capture should see it. All peers are
/// sockets, pipes and children of this program, and never answer.
/// </summary>
internal static class Program
{
    private static readonly List<Waiter> s_waiters = [];
    private static readonly List<object> s_kept = [];

    private static void Main()
    {
        Socket mute = Listen(IPAddress.Loopback, 64);
        Socket mute6 = Listen(IPAddress.IPv6Loopback, 64);
        string peer = $"{mute.LocalEndPoint}";

        Add("receive", $"end=Server peer={peer} process=-", Connected(mute), socket => socket.Receive(new byte[16]));
        Add("stream-read", $"end=Server peer={mute6.LocalEndPoint} process=-", Connected(mute6), socket => new NetworkStream(socket).ReadExactly(new byte[16]));
        Add("used-async", $"end=Server peer={peer} process=-", UsedAsync(mute), socket => socket.Receive(new byte[16]));
        Add("timed", $"end=Server peer={peer} process=-", Connected(mute), socket =>
        {
            socket.ReceiveTimeout = 3_600_000;
            socket.Receive(new byte[16]);
        });
        Add("send", $"end=Server peer={peer} process=-", Connected(mute), SendForever);
        Add("accept", "end=Client peer=- process=-", Listen(IPAddress.Loopback, 1), socket => socket.Accept());
        Add("listener", "end=Client peer=- process=-", new TcpListener(IPAddress.Loopback, 0), listener =>
        {
            listener.Start();
            listener.AcceptTcpClient();
        });
        AddAccepted();
        AddWriters(mute);
        Add("udp", "end=Client peer=- process=-", new UdpClient(new IPEndPoint(IPAddress.Loopback, 0)), client =>
        {
            IPEndPoint? from = null;
            client.Receive(ref from);
        });
        Add("tls", $"end=Server peer={peer} process=-", new SslStream(new NetworkStream(Connected(mute))), stream => stream.AuthenticateAsClient("localhost"));
        Add("http", $"end=Server peer={peer} process=-", new HttpClient { Timeout = Timeout.InfiniteTimeSpan }, client =>
            client.Send(new HttpRequestMessage(HttpMethod.Get, $"http://{peer}/")));
        Add("http-timed", $"end=Server peer={peer} process=-", new HttpClient { Timeout = TimeSpan.FromHours(1) }, client =>
            client.Send(new HttpRequestMessage(HttpMethod.Get, $"http://{peer}/")));
        Add("http-result", $"end=Task peer={peer} process=-", new HttpClient { Timeout = Timeout.InfiniteTimeSpan }, client =>
            _ = client.GetStringAsync(new Uri($"http://{peer}/")).Result);
        AddPipes();
        if (OperatingSystem.IsLinux())
        {
            AddChildren();
        }

        Add("console", "end=Person peer=- process=-", Console.In, reader => reader.ReadLine());
        // The last: the system gives up after two minutes.
        AddConnect();
        foreach (Waiter waiter in s_waiters)
        {
            Console.WriteLine(waiter);
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static void Add<T>(string name, string truth, T subject, Action<T> call)
        where T : class
    {
        s_kept.Add(subject);
        Waiter waiter = new(name, truth, () => call(subject));
        s_waiters.Add(waiter);
        waiter.StartAndSettle();
    }

    private static Socket Listen(IPAddress address, int backlog)
    {
        Socket socket = new(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(address, 0));
        socket.Listen(backlog);
        s_kept.Add(socket);
        return socket;
    }

    private static Socket Connected(Socket listener)
    {
        Socket socket = new(listener.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(listener.LocalEndPoint!);
        return socket;
    }

    private static Socket UsedAsync(Socket listener)
    {
        Socket socket = new(listener.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.ConnectAsync(listener.LocalEndPoint!).GetAwaiter().GetResult();
        return socket;
    }

    private static void SendForever(Socket socket)
    {
        while (true)
        {
            socket.Send(new byte[65_536]);
        }
    }

    private static void AddAccepted()
    {
        Socket listener = Listen(IPAddress.Loopback, 4);
        Socket client = Connected(listener);
        s_kept.Add(client);
        Add("accepted", $"end=Server peer={client.LocalEndPoint} process=-", listener.Accept(), socket => socket.Receive(new byte[16]));

        Socket late = Connected(listener);
        s_kept.Add(late);
        s_kept.Add(AnswerLateAsync(new StreamReader(new NetworkStream(listener.Accept()))));
        s_kept.Add(PollAsync(new NetworkStream(Connected(listener))));
    }

    // Who reads the answer to what he has not sent, and one who has sent it.
    private static void AddWriters(Socket listener)
    {
        string truth = $"end=Server peer={listener.LocalEndPoint} process=- unsent=";
        Add("text", $"{truth}StreamWriter:5", new NetworkStream(Connected(listener)), stream =>
        {
            StreamWriter writer = new(stream);
            writer.Write("order");
            s_kept.Add(writer);
            stream.ReadExactly(new byte[16]);
        });
        Add("bytes", $"{truth}BufferedStream:3", new BufferedStream(new NetworkStream(Connected(listener))), stream =>
        {
            stream.Write([1, 2, 3]);
            stream.UnderlyingStream.ReadExactly(new byte[16]);
        });
        Add("flushed", $"{truth}-", new NetworkStream(Connected(listener)), stream =>
        {
            StreamWriter writer = new(stream) { AutoFlush = true };
            writer.Write("order");
            s_kept.Add(writer);
            stream.ReadExactly(new byte[16]);
        });
    }

    // Serves a connection, and answers later.
    private static async Task AnswerLateAsync(StreamReader requests)
    {
        await Task.Delay(TimeSpan.FromHours(1));
        Console.WriteLine(await requests.ReadLineAsync());
    }

    // A client that asks from time to time.
    private static async Task PollAsync(NetworkStream server)
    {
        await Task.Delay(TimeSpan.FromHours(1));
        server.WriteByte(1);
    }

    // A connection that the system does not complete: the queue of the listener is full.
    private static void AddConnect()
    {
        Socket full = Listen(IPAddress.Loopback, 0);
        for (int i = 0; i < 2; i++)
        {
            Socket waiting = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
            s_kept.Add(waiting);
            try
            {
                waiting.Connect(full.LocalEndPoint!);
            }
            catch (SocketException)
            {
                // It is under way.
            }
        }

        Add("connect", $"end=Server peer={full.LocalEndPoint} process=-", full.LocalEndPoint!, peer =>
            new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp).Connect(peer));
    }

    private static void AddPipes()
    {
        AnonymousPipeServerStream inward = new(PipeDirection.In);
        AnonymousPipeServerStream outward = new(PipeDirection.Out);
        string name = $"outside-waits-{Environment.ProcessId}";
        Add("pipe-read", "end=Pipe peer=- process=-", inward, pipe => pipe.ReadExactly(new byte[16]));
        Add("pipe-write", "end=Pipe peer=- process=-", outward, pipe => pipe.Write(new byte[1 << 20]));
        Add("pipe-server", "end=Client peer=- process=-", new NamedPipeServerStream(name), pipe => pipe.WaitForConnection());
        Add("pipe-client", "end=Pipe peer=- process=-", new NamedPipeClientStream(name + "-nobody"), pipe => pipe.Connect());
    }

    private static void AddChildren()
    {
        Process plain = Start(redirect: false);
        Process unread = Start(redirect: true);
        Process read = Start(redirect: true);
        Process begun = Start(redirect: true);
        begun.OutputDataReceived += (_, _) => { };
        begun.BeginOutputReadLine();
        Add("exit", $"end=ChildProcess peer=- process={plain.Id}", plain, child => child.WaitForExit());
        Add("exit-unread", $"end=ChildProcess peer=- process={unread.Id} unread=Output", unread, child => child.WaitForExit());
        Add("exit-begun", $"end=ChildProcess peer=- process={begun.Id}", begun, child => child.WaitForExit());
        Add("child-output", $"end=Pipe peer=- process={read.Id}", read, child => child.StandardOutput.ReadToEnd());

        // One for all runs: it cannot be removed while a thread is to open it.
        string fifo = Path.Combine(Path.GetTempPath(), "outside-waits.fifo");
        using (Process make = Process.Start("mkfifo", fifo))
        {
            make.WaitForExit();
        }

        Add("fifo", "end=File peer=- process=-", fifo, path => File.OpenRead(path));
    }

    // It ends when its input does: with this process.
    private static Process Start(bool redirect)
        => Process.Start(new ProcessStartInfo("cat") { RedirectStandardInput = true, RedirectStandardOutput = redirect })!;
}
