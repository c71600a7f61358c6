using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace HangTriage.Tests.Support.Http;

/// <summary>A web server on loopback that answers each request as the test says, in bytes: it can lie and keep silent.</summary>
public sealed class SymbolWebServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Func<string, SymbolWebAnswer> _answer;
    private readonly CancellationTokenSource _end = new();
    private readonly ConcurrentQueue<string> _requests = new();
    private readonly Task _loop;

    /// <param name="answer">What to answer to a path such as <c>/app.exe/5A0B1C2D1000/app.exe</c>.</param>
    public SymbolWebServer(Func<string, SymbolWebAnswer> answer)
    {
        _answer = answer;
        _listener.Start();
        _loop = Task.Run(Accept);
    }

    public string Address => $"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

    /// <summary>The paths that were asked for, in order.</summary>
    public IReadOnlyList<string> Requests => [.. _requests];

    public void Dispose()
    {
        _end.Cancel();
        _listener.Stop();
        _loop.GetAwaiter().GetResult();
        _listener.Dispose();
        _end.Dispose();
    }

    private async Task Accept()
    {
        List<Task> clients = [];
        try
        {
            while (true)
            {
                clients.Add(Serve(await _listener.AcceptTcpClientAsync(_end.Token)));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or InvalidOperationException)
        {
            await Task.WhenAll(clients);
        }
    }

    private async Task Serve(TcpClient client)
    {
        try
        {
            using (client)
            {
                NetworkStream stream = client.GetStream();
                using StreamReader reader = new(stream, Encoding.Latin1, leaveOpen: true);
                string request = await reader.ReadLineAsync(_end.Token) ?? "";
                for (string? line = request; !string.IsNullOrEmpty(line);)
                {
                    line = await reader.ReadLineAsync(_end.Token);
                }

                // A client that went away before it asked for anything is not answered.
                if (request.Split(' ').ElementAtOrDefault(1) is not { Length: > 0 } path)
                {
                    return;
                }

                _requests.Enqueue(path);
                SymbolWebAnswer answer = _answer(path);
                await stream.WriteAsync(answer.Bytes, _end.Token);
                if (answer.ThenSilent)
                {
                    await Task.Delay(Timeout.Infinite, _end.Token);
                }
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or SocketException)
        {
            // The client went away, or the test is over.
        }
    }
}
