using System.Collections.Concurrent;
using System.Threading.Channels;

namespace SelfWaits;

/// <summary>
/// Handlers of messages that ask, and wait, for what another message is to bring: with loops of their own, and other callers.
/// </summary>
internal static class Lines
{
    private static readonly TimeSpan s_long = TimeSpan.FromHours(1);
    private static readonly List<object> s_kept = [];

    /// <summary>Of two lines each brings its own handler's answers.</summary>
    public static Task OnOwnLineAsync()
    {
        Keep(new Completion<Half>());
        s_kept.Add(new Line(_ => Task.CompletedTask).ReceiveAsync("rest"));
        return new Line(new Meter().OnMessageAsync).ReceiveAsync("question");
    }

    /// <summary>Both lines have the handler: the other one brings the answer.</summary>
    public static Task OnTwoLinesAsync()
    {
        Register register = new();
        s_kept.Add(new Line(register.OnMessageAsync).ReceiveAsync("rest"));
        return new Line(register.OnMessageAsync).ReceiveAsync("question");
    }

    /// <summary>A loop that tries anew what has failed; the next tick brings the answer.</summary>
    public static Task InTriesAsync()
    {
        Ticks ticks = new();
        s_kept.Add(new Timer(ticks.OnTick, null, s_long, s_long));
        return ticks.TryAsync("question");
    }

    private static void Keep(Completion<Half> completion)
        => s_kept.Add(new Timer(_ => completion.Set(Half.One), null, s_long, s_long));

    private sealed class Line(Func<string, Task> handler)
    {
        private readonly Channel<string> _messages = Channel.CreateUnbounded<string>();

        public async Task ReceiveAsync(string first)
        {
            _messages.Writer.TryWrite(first);
            while (await _messages.Reader.WaitToReadAsync())
            {
                while (_messages.Reader.TryRead(out string? message))
                {
                    await handler(message);
                }
            }
        }
    }

    // What is completed by a field that nothing else is ever put into completes no other.
    private sealed class Completion<T>
    {
        private readonly TaskCompletionSource<T> _source = new();

        public void Set(T value) => _source.TrySetResult(value);
    }

    private sealed class Meter
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<Half>> _open = new();

        public async Task OnMessageAsync(string message)
        {
            if (message == "answer")
            {
                Answer();
            }
            else if (message == "question")
            {
                s_kept.Add(await AskMeterAsync());
            }
        }

        private async Task<Half> AskMeterAsync()
        {
            TaskCompletionSource<Half> answer = new();
            _open[1] = answer;
            Half given = await answer.Task;
            s_kept.Add(given);
            return given;
        }

        private void Answer()
        {
            if (_open.TryRemove(1, out TaskCompletionSource<Half>? waiting))
            {
                waiting.TrySetResult(Half.One);
            }
        }
    }

    private sealed class Register
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<Guid>> _open = new();

        public async Task OnMessageAsync(string message)
        {
            if (message == "answer" && _open.TryRemove(1, out TaskCompletionSource<Guid>? waiting))
            {
                waiting.TrySetResult(Guid.Empty);
            }
            else if (message == "question")
            {
                s_kept.Add(await AskRegisterAsync());
            }
        }

        private async Task<Guid> AskRegisterAsync()
        {
            TaskCompletionSource<Guid> answer = new();
            _open[1] = answer;
            Guid given = await answer.Task;
            s_kept.Add(given);
            return given;
        }
    }

    private sealed class Ticks
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<DateOnly>> _open = new();

        public void OnTick(object? state) => s_kept.Add(TryAsync("answer"));

        public async Task TryAsync(string message)
        {
            while (true)
            {
                try
                {
                    await OnMessageAsync(message);
                    return;
                }
                catch (IOException)
                {
                    s_kept.Add(message);
                }
            }
        }

        private async Task OnMessageAsync(string message)
        {
            if (message == "answer" && _open.TryRemove(1, out TaskCompletionSource<DateOnly>? waiting))
            {
                waiting.TrySetResult(DateOnly.MaxValue);
            }
            else if (message == "question")
            {
                s_kept.Add(await AskInTriesAsync());
            }
        }

        private async Task<DateOnly> AskInTriesAsync()
        {
            TaskCompletionSource<DateOnly> answer = new();
            _open[1] = answer;
            DateOnly given = await answer.Task;
            s_kept.Add(given);
            return given;
        }
    }
}
