using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace OwnRecord;

/// <summary>
/// Says READY; at the next line of its input threads wait for locks, handles and workers of the pool, which the process
/// records by itself; prints the record and says READY again. At the line behind that, which comes when a recording has
/// ended, it prints what there was in all until then: the runtime starves or collects by itself, too.
/// </summary>
internal static class Program
{
    private const int Contentions = 5;
    private const int Waits = 7;
    private const int Collections = 3;
    private const int Workers = 64;

    private static readonly Record s_record = new();
    private static readonly ConcurrentBag<long> s_waiters = [];
    private static volatile bool s_isEnough;

    private static void Main()
    {
        Console.WriteLine("READY");
        Console.ReadLine();
        DateTime since = DateTime.UtcNow;
        Contend("holder", Contentions);
        WaitForHandles();
        for (int i = 0; i < Collections; i++)
        {
            GC.Collect();
        }

        Starve();
        Compute();
        long last = Contend("last", 1);
        SpinWait.SpinUntil(() => s_record.HasEnded(last));
        s_record.Write(since, s_waiters.ToArray(), Console.Out);
        Console.WriteLine("READY");
        Console.ReadLine();
        long behind = Contend("behind", 1);
        SpinWait.SpinUntil(() => s_record.HasEnded(behind));
        s_record.WriteAll(Console.Out);
        Console.WriteLine("READY");
        Console.ReadLine();
    }

    /// <summary>
    /// A thread waits, time after time, for a lock that another one holds until the record has the wait; returns the id of
    /// the one that waits.
    /// </summary>
    private static long Contend(string name, int times)
    {
        object gate = new();
        long id = 0;
        using SemaphoreSlim held = new(0);
        using SemaphoreSlim taken = new(0);
        Thread waiter = Start("waiter", () =>
        {
            Volatile.Write(ref id, CurrentId());
            s_waiters.Add(id);
            for (int i = 0; i < times; i++)
            {
                held.Wait();
                lock (gate)
                {
                    taken.Release();
                }
            }
        });
        Thread holder = Start(name, () =>
        {
            for (int i = 0; i < times; i++)
            {
                lock (gate)
                {
                    int before = s_record.BegunBy(Volatile.Read(ref id));
                    held.Release();
                    SpinWait.SpinUntil(() => s_record.BegunBy(Volatile.Read(ref id)) > before);
                }

                taken.Wait();
            }
        });
        holder.Join();
        waiter.Join();
        return id;
    }

    private static void WaitForHandles()
    {
        using AutoResetEvent signal = new(initialState: false);
        Thread waiter = Start("handles", () =>
        {
            s_waiters.Add(CurrentId());
            for (int i = 0; i < Waits; i++)
            {
                signal.WaitOne();
            }
        });
        while (!waiter.Join(TimeSpan.FromMilliseconds(5)))
        {
            signal.Set();
        }
    }

    private static void Starve()
    {
        using ManualResetEvent end = new(initialState: false);
        using CountdownEvent ended = new(Workers);
        for (int i = 0; i < Workers; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    end.WaitOne();
                    ended.Signal();
                },
                null);
        }

        SpinWait.SpinUntil(() => s_record.Starvations >= 2);
        end.Set();
        ended.Wait();
    }

    // Half a second of processor time, however long that takes.
    private static void Compute()
    {
        TimeSpan enough = Used() + TimeSpan.FromMilliseconds(500);
        Thread computes = Start("computes", () => Burn(1));
        while (Used() < enough)
        {
            Thread.Sleep(10);
        }

        s_isEnough = true;
        computes.Join();
    }

    private static TimeSpan Used()
    {
        using Process self = Process.GetCurrentProcess();
        return self.TotalProcessorTime;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static double Burn(double value)
    {
        while (!s_isEnough)
        {
            value = Math.Sqrt(value + 1);
        }

        return value;
    }

    private static Thread Start(string name, ThreadStart run)
    {
        Thread thread = new(run) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }

    // The last number of the link /proc/thread-self, "1234/task/1240".
    private static long CurrentId()
        => long.Parse(new FileInfo("/proc/thread-self").LinkTarget!.Split('/')[^1], System.Globalization.CultureInfo.InvariantCulture);
}
