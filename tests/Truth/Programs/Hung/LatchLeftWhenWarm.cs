using System.Runtime;

namespace Truth.Hung;

/// <summary>
/// A book of prices is guarded by a latch of Interlocked and SpinWait, and has been used for so long that the latch's loop is compiled into
/// the book's methods. A change of a price that the book does not have fails between Enter and Exit; all others spin, and Main waits for
/// them.
/// </summary>
internal static class LatchLeftWhenWarm
{
    // As samples/Shared/Warmth.cs has it, without a delegate that could still be called.
    private const int Rounds = 40;
    private const int QuietPauses = 5;
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(150);

    public static void Run()
    {
        Book book = new();
        WarmUp(book);
        Thread feed = new(() => Feed(book)) { Name = "feed" };
        feed.Start();
        feed.Join();
        Thread[] readers = [.. Enumerable.Range(0, 2).Select(number => new Thread(() => book.Best()) { Name = $"reader {number}" })];
        Array.ForEach(readers, reader => reader.Start());
        Ready.When(() => readers.All(reader => reader.IsAlive));
        Array.ForEach(readers, reader => reader.Join());
    }

    private static void WarmUp(Book book)
    {
        for (int quiet = 0; quiet < QuietPauses;)
        {
            long compiled = JitInfo.GetCompiledMethodCount();
            for (int i = 0; i < Rounds; i++)
            {
                book.Change("oats", 1);
                book.Best();
            }

            Thread.Sleep(s_pause);
            quiet = JitInfo.GetCompiledMethodCount() == compiled ? quiet + 1 : 0;
        }
    }

    private static void Feed(Book book)
    {
        try
        {
            book.Change("barley", 2);
        }
        catch (KeyNotFoundException)
        {
            Console.WriteLine("unknown price");
        }
    }

    private sealed class Latch
    {
        private int _taken;

        public void Enter()
        {
            SpinWait spin = default;
            while (Interlocked.CompareExchange(ref _taken, 1, 0) != 0)
            {
                spin.SpinOnce();
            }
        }

        public void Exit() => Volatile.Write(ref _taken, 0);
    }

    private sealed class Book
    {
        private readonly Latch _latch = new();
        private readonly Dictionary<string, int> _prices = new() { ["oats"] = 12, ["rye"] = 9 };

        public void Change(string name, int by)
        {
            _latch.Enter();
            _prices[name] = _prices[name] + by;
            _latch.Exit();
        }

        public int Best()
        {
            _latch.Enter();
            int best = _prices.Values.Max();
            _latch.Exit();
            return best;
        }
    }
}
