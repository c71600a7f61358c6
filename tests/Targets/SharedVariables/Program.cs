using System.Linq.Expressions;
using System.Threading.Tasks.Dataflow;
using Samples;

namespace SharedVariables;

/// <summary>
/// Threads that wait for room in a block of Dataflow which only a variable holds that lambdas share, beside lambdas that use other
/// variables of theirs alone. Each is printed with who can still come to code that takes from the block: nobody, a thread or a timer.
/// </summary>
internal static class Program
{
    private static readonly TimeSpan s_long = TimeSpan.FromHours(1);
    private static readonly List<Thread> s_threads = [];
    private static readonly List<object> s_kept = [];
    private static int s_taken;

    private static void Main()
    {
        s_kept.Add(new Timer(_ => { }, null, s_long, s_long));
        Beside();
        BehindIt();
        OnTime();
        OnThread();
        InFlow();
        InExpression();
        Stage.ReadyWhenAllWait([.. s_threads]);
    }

    private static void Beside()
    {
        BufferBlock<int> rows = Full();
        int ticks = 0;
        s_kept.Add(new Timer(_ => ticks++, null, s_long, s_long));
        Send("beside", "-", () => rows.SendAsync(ticks));
    }

    // What the thread had to take it has taken.
    private static void BehindIt()
    {
        BufferBlock<int> rows = Full();
        int ticks = 0;
        s_threads.Add(Stage.Start("taker", () =>
        {
            ticks += rows.Receive() + rows.Receive();
            rows.Post(ticks);
            rows.Post(ticks);
            while (ticks < 100)
            {
                Thread.Sleep(s_long);
                ticks++;
            }
        }));
        SpinWait.SpinUntil(() => ticks > 0 && rows.Count == 2);
        Send("behind", "-", () => rows.SendAsync(ticks));
    }

    private static void OnTime()
    {
        BufferBlock<int> rows = Full();
        int ticks = 0;
        s_kept.Add(new Timer(_ => ticks += rows.TryReceive(out int row) ? row : 0, null, s_long, s_long));
        Send("timed", "Timer", () => rows.SendAsync(ticks));
    }

    private static void OnThread()
    {
        BufferBlock<int> rows = Full();
        int ticks = 0;
        s_threads.Add(Stage.Start("late taker", () =>
        {
            Thread.Sleep(s_long);
            ticks += rows.Receive();
        }));
        Send("taken", "Thread", () => rows.SendAsync(ticks));
    }

    private static void InFlow()
    {
        BufferBlock<int> rows = Full();
        int ticks = 0;
        async Task TakeAsync()
        {
            await Task.Delay(s_long);
            ticks += await rows.ReceiveAsync();
        }

        Func<Task> begin = TakeAsync;
        s_kept.Add(begin());
        Send("resumed", "Timer", () => rows.SendAsync(ticks));
    }

    private static void InExpression()
    {
        BufferBlock<int> rows = Full();
        int ticks = 0;
        Expression<Func<int>> take = () => rows.Receive() + ticks;
        Call(take.Compile());
        Send("expressed", "Timer", () => rows.SendAsync(ticks));
    }

    private static void Call(Func<int> compiled) => s_kept.Add(new Timer(_ => s_taken += compiled(), null, s_long, s_long));

    private static BufferBlock<int> Full()
    {
        BufferBlock<int> rows = new(new DataflowBlockOptions { BoundedCapacity = 2 });
        rows.Post(1);
        rows.Post(2);
        return rows;
    }

    private static void Send(string name, string by, Func<Task<bool>> send)
    {
        s_threads.Add(Stage.Start(name, () => send().GetAwaiter().GetResult()));
        Console.WriteLine($"name={name} by={by}");
    }
}
