using System.Collections.Concurrent;
using System.Threading.Channels;

namespace WorkInHand;

internal static partial class Program
{
    private static readonly ConcurrentDictionary<int, TaskCompletionSource<string>> s_asked = new();
    private static readonly Queue<string> s_sent = new();

    private static void Flows()
    {
        Expect("AskBookAsync", "PayAsync", AskBookAsync(new Dictionary<string, TaskCompletionSource<byte>>()));
        Expect("AskStaticAsync", "AnswerAllAsync", AskStaticAsync());
        Expect("AskFlagAsync", "-", AskFlagAsync(new Flag()));
        Expect("AskTickAsync", "-", AskTickAsync(new TaskCompletionSource<float>()));
        Expect("AskQueueAsync", "ServeAsync", AskQueueAsync(Channel.CreateUnbounded<Order>()));
        Expect("AskFarAsync", "HandleAsync", AskFarAsync(new ConcurrentDictionary<Guid, TaskCompletionSource<Guid>>()));
        Expect("AskNobodyAsync", "-", AskNobodyAsync(new ConcurrentDictionary<Guid, TaskCompletionSource<char>>()));
    }

    // Once, and for this one.
    private static async Task AskBookAsync(Dictionary<string, TaskCompletionSource<byte>> book)
    {
        TaskCompletionSource<byte> paid = new();
        book["ticket-20"] = paid;
        s_kept.Add(PayAsync(book, $"ticket-{book.Count + 19}"));
        s_kept.Add(await paid.Task);
    }

    private static async Task PayAsync(Dictionary<string, TaskCompletionSource<byte>> book, string ticket)
    {
        await Task.Delay(s_long);
        if (book.Remove(ticket, out TaskCompletionSource<byte>? paid))
        {
            paid.TrySetResult(1);
        }
    }

    // One question after the other, of those that a static field keeps.
    private static async Task AskStaticAsync()
    {
        TaskCompletionSource<string> answer = new();
        s_asked[21] = answer;
        s_kept.Add(AnswerAllAsync());
        s_kept.Add(await answer.Task);
    }

    private static async Task AnswerAllAsync()
    {
        while (s_kept.Count > 0)
        {
            foreach (int number in s_asked.Keys)
            {
                await Task.Delay(s_long);
                if (s_asked.TryRemove(number, out TaskCompletionSource<string>? answer))
                {
                    answer.TrySetResult("yes");
                }
            }

            await Task.Delay(TimeSpan.FromMilliseconds(100));
        }
    }

    // Whether the flag is ever set, nobody knows.
    private static async Task AskFlagAsync(Flag flag)
    {
        s_kept.Add(LookAsync(flag));
        s_kept.Add(await flag.Raised.Task);
    }

    private static async Task LookAsync(Flag flag)
    {
        while (s_kept.Count > 0)
        {
            await Task.Delay(s_long);
            if (flag.IsUp)
            {
                flag.Raised.TrySetResult(1);
            }
        }
    }

    // A tick is nothing to work on.
    private static async Task AskTickAsync(TaskCompletionSource<float> answer)
    {
        s_kept.Add(TickAsync(answer));
        s_kept.Add(await answer.Task);
    }

    private static async Task TickAsync(TaskCompletionSource<float> answer)
    {
        using PeriodicTimer ticks = new(s_long);
        while (await ticks.WaitForNextTickAsync())
        {
            if (s_kept.Count > 1000)
            {
                answer.TrySetResult(1);
            }
        }
    }

    // The order has its own promise, and somebody works on it in a method of his.
    private static async Task AskQueueAsync(Channel<Order> orders)
    {
        s_kept.Add(ConsumeAsync(orders));
        Order order = new();
        orders.Writer.TryWrite(order);
        s_kept.Add(await order.Done.Task);
    }

    private static async Task ConsumeAsync(Channel<Order> orders)
    {
        await foreach (Order order in orders.Reader.ReadAllAsync())
        {
            int result = await ServeAsync();
            if (result > 0)
            {
                order.Done.TrySetResult((ushort)result);
            }
        }
    }

    private static async Task<int> ServeAsync()
    {
        await Task.Delay(s_long);
        return s_kept.Count;
    }

    // Who answers sends it away: only the number of the question tells.
    private static async Task AskFarAsync(ConcurrentDictionary<Guid, TaskCompletionSource<Guid>> open)
    {
        Guid id = Guid.NewGuid();
        TaskCompletionSource<Guid> answer = new();
        open[id] = answer;
        s_kept.Add(new Timer(_ => OnAnswer(open), null, s_long, s_long));
        s_kept.Add(HandleAsync(id));
        s_kept.Add(await answer.Task);
    }

    private static void OnAnswer<T>(ConcurrentDictionary<Guid, TaskCompletionSource<T>> open)
    {
        if (s_sent.TryDequeue(out string? id) && open.TryRemove(Guid.Parse(id), out TaskCompletionSource<T>? answer))
        {
            answer.TrySetResult(default!);
        }
    }

    private static async Task HandleAsync(Guid id)
    {
        await Task.Delay(s_long);
        s_sent.Enqueue(id.ToString());
    }

    private static async Task AskNobodyAsync(ConcurrentDictionary<Guid, TaskCompletionSource<char>> open)
    {
        TaskCompletionSource<char> answer = new();
        open[Guid.NewGuid()] = answer;
        s_kept.Add(new Timer(_ => OnAnswer(open), null, s_long, s_long));
        s_kept.Add(HandleAsync(Guid.NewGuid()));
        s_kept.Add(await answer.Task);
    }

    private sealed class Flag
    {
        public bool IsUp { get; set; }

        public TaskCompletionSource<sbyte> Raised { get; } = new();
    }

    private sealed class Order
    {
        public TaskCompletionSource<ushort> Done { get; } = new();
    }
}
