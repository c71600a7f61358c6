using Samples;

namespace Secrets;

/// <summary>
/// A deadlock in a process that is full of a secret, which it is given as its argument: on the heap, in static fields, in locals and
/// buffers of the stacks, in the state of an async method, and in its environment.
/// </summary>
internal static class Program
{
    private static readonly object s_first = new();
    private static readonly object s_second = new();
    private static readonly Barrier s_both = new(2);
    private static readonly SemaphoreSlim s_gate = new(0, 1);
    private static readonly Dictionary<string, string> s_settings = [];
    private static Task? s_request;

    private static void Main(string[] arguments)
    {
        string secret = arguments[0];
        s_settings["connection"] = $"Server=db;Password={secret};";
        s_request = HandleAsync(new Request { Token = "Bearer " + secret });
        Thread one = Stage.Start("one", () => Take(s_first, s_second, secret.ToCharArray()));
        Thread other = Stage.Start("other", () => Take(s_second, s_first, secret.ToCharArray()));
        Stage.ReadyWhenAllWait(one, other);
        GC.KeepAlive(s_settings);
        GC.KeepAlive(s_request);
    }

    private static void Take(object mine, object others, ReadOnlySpan<char> password)
    {
        Span<char> buffer = stackalloc char[256];
        password.CopyTo(buffer);
        lock (mine)
        {
            s_both.SignalAndWait();
            lock (others)
            {
                Console.WriteLine(buffer[0]);
            }
        }
    }

    private static async Task HandleAsync(Request request)
    {
        string header = "Authorization: " + request.Token;
        await s_gate.WaitAsync();
        Console.WriteLine(header);
    }
}
