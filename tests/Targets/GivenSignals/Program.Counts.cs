using System.Runtime.CompilerServices;
using Samples;

namespace GivenSignals;

internal static partial class Program
{
    // Behind a loop whose count a lambda uses, which makes it a field.
    private static void Hoops()
    {
        ManualResetEventSlim hoops = new();
        Watched(() => hoops.SpinCount);
        List<Predicate<int>> seen = [];
        Late("hoop-maker", () =>
        {
            for (int round = 0; round < 3; round++)
            {
                seen.Add(number => number == round);
                Thread.Sleep(TimeSpan.FromHours(1));
            }

            hoops.Set();
        });
        Add("hoops", "Thread", "Thread", () => hoops.Wait());
    }

    // Behind a loop whose count an async method keeps over an await.
    private static void Stamps()
    {
        SemaphoreSlim stamps = new(0);
        Watched(() => stamps.CurrentCount);
        s_kept.Add(StampAsync(stamps));
        Add("stamps", "Thread", "-", () => stamps.Wait());
    }

    private static async Task StampAsync(SemaphoreSlim stamps)
    {
        for (int sheet = 0; sheet < 3; sheet++)
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }

        stamps.Release();
    }

    // Behind a loop whose count only somebody else moves.
    private static void Marks()
    {
        ManualResetEventSlim marks = new();
        StrongCount count = new();
        s_kept.Add(count);
        Watched(() => marks.SpinCount);
        Late("marker", () =>
        {
            while (count.Number < 3)
            {
                Thread.Sleep(TimeSpan.FromHours(1));
            }

            marks.Set();
        });
        Add("marks", "Thread", "-", () => marks.Wait());
    }

    // Who wakes all each hour, so that they look again, brings nothing.
    private static void Rings()
    {
        object gate = new();
        Queue<int> rings = new();
        s_kept.Add(rings);
        Late("waker", () =>
        {
            while (true)
            {
                Thread.Sleep(TimeSpan.FromHours(1));
                lock (gate)
                {
                    Monitor.PulseAll(gate);
                }
            }
        });
        Add("rings", "Thread", "-", () =>
        {
            lock (gate)
            {
                while (rings.Count == 0)
                {
                    Monitor.Wait(gate);
                }
            }
        });
    }

    // Behind a loop without an end, in which a walk has one.
    private static void Walks()
    {
        ManualResetEventSlim walks = new();
        StrongCount count = new();
        s_kept.Add(count);
        Watched(() => walks.SpinCount);
        Late("walker", () =>
        {
            while (true)
            {
                Thread.Sleep(TimeSpan.FromHours(1));
                foreach (int number in new List<int> { 1, 2, 3 })
                {
                    count.Number += number;
                }

                if (count.Number > 1000)
                {
                    walks.Set();
                }
            }
        });
        Add("walks", "Thread", "-", () => walks.Wait());
    }

    // Who gives it back has to take one first.
    private static void Leases()
    {
        SemaphoreSlim leases = new(0);
        Watched(() => leases.CurrentCount);
        Late("renewer", () =>
        {
            while (true)
            {
                Thread.Sleep(TimeSpan.FromHours(1));
                leases.Wait();
                try
                {
                    Console.WriteLine("renewed");
                }
                finally
                {
                    leases.Release();
                }
            }
        });
        Add("leases", "-", "-", () => leases.Wait());
    }

    // The same in an async method.
    private static void Keys()
    {
        KeyBoard board = new();
        Watched(() => board.Key.CurrentCount);
        s_kept.Add(board.CleanAsync());
        Add("keys", "-", "-", () => board.Key.Wait());
    }

    // Who has it has no frame for that in optimised code.
    private static void Tills()
    {
        Till till = new();
        Watched(() => till.Free.CurrentCount);
        Late("cashier", till.CloseLate);
        ThreadRest.Await(() => till.Free.CurrentCount == 0);
        Add("tills", "Thread", "any", till.Open);
    }

    // Of two that are missing one has left, and the other comes in each of his rounds.
    private static void Strides()
    {
        Barrier strides = new(3);
        StrongCount count = new();
        s_kept.Add(count);
        Watched(() => strides.ParticipantsRemaining);
        Late("strider", () =>
        {
            while (count.Number == 0)
            {
                Thread.Sleep(TimeSpan.FromHours(1));
                strides.SignalAndWait();
            }
        });
        Add("strides", "Thread", "-", () => strides.SignalAndWait());
    }

    // Whoever comes takes one at a place, and gives one back at the next.
    private static void Seats()
    {
        Seat first = new(), second = new();
        Watched(() => first.Free.CurrentCount + second.Free.CurrentCount);
        Late("usher", () =>
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            first.MoveTo(second);
        });
        Add("seats", "Thread", "-", () => second.Free.Wait());
    }

    private static void Late(string name, ThreadStart run) => new Thread(run) { Name = name, IsBackground = true }.Start();

    private sealed class KeyBoard
    {
        public SemaphoreSlim Key { get; } = new(0);

        public async Task CleanAsync()
        {
            while (true)
            {
                await Task.Delay(TimeSpan.FromHours(1));
                await Key.WaitAsync();
                try
                {
                    await Task.Yield();
                }
                finally
                {
                    Key.Release();
                }
            }
        }
    }

    private sealed class Till
    {
        public SemaphoreSlim Free { get; } = new(1);

        public void CloseLate()
        {
            Thread.Sleep(1);
            Close();
            Console.WriteLine("closed");
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Open()
        {
            Free.Wait();
            Free.Release();
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private void Close()
        {
            Free.Wait();
            Thread.Sleep(TimeSpan.FromHours(1));
            Free.Release();
        }
    }

    private sealed class Seat
    {
        public SemaphoreSlim Free { get; } = new(0);

        public void MoveTo(Seat next)
        {
            Free.Wait();
            next.Free.Release();
        }
    }

    private sealed class StrongCount
    {
        public int Number { get; set; }
    }
}
