using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Samples;

namespace Crashes;

/// <summary>Ends as its argument says; beside it a thread waits for what never comes, as in a hung program.</summary>
internal static partial class Program
{
    private static readonly object s_first = new();
    private static readonly object s_second = new();

    private static async Task Main(string[] arguments)
    {
        bool hangs = arguments.Contains("hung");
        if (hangs)
        {
            Deadlock();
        }
        else
        {
            Thread waiter = Start("waiter", () => new ManualResetEventSlim().Wait());
            ThreadRest.Await(() => ThreadRest.IsAtRest(waiter));
        }

        HandleOne();
        Console.WriteLine("ready");
        switch (arguments[0])
        {
            case "main":
                Orders.Load(null);
                break;
            case "thread":
                Start("loader", () => Orders.Load(null));
                Thread.Sleep(Timeout.Infinite);
                break;
            case "task":
                await Orders.LoadAsync();
                break;
            case "rethrown":
                Orders.Reload(null);
                break;
            case "failfast":
                Start("watchdog", () => Environment.FailFast("nothing has moved for 30 s"));
                Thread.Sleep(Timeout.Infinite);
                break;
            case "failfast-exception":
                Start("watchdog", Orders.FailFast);
                Thread.Sleep(Timeout.Infinite);
                break;
            case "abort":
                Start("native", Abort);
                Thread.Sleep(Timeout.Infinite);
                break;
            case "fault":
                Start("native", () => Copy(16, 32, 8));
                Thread.Sleep(Timeout.Infinite);
                break;
            case "overflow":
                Start("deep", () => Orders.Count(1));
                Thread.Sleep(Timeout.Infinite);
                break;
            default:
                Thread.Sleep(Timeout.Infinite);
                break;
        }
    }

    // An exception that was caught stays behind as the thread's last one.
    private static void HandleOne()
    {
        try
        {
            Orders.Load(null);
        }
        catch (NullReferenceException)
        {
            Console.WriteLine("handled");
        }
    }

    private static void Deadlock()
    {
        using Barrier both = new(2);
        Thread first = Start("first", () => Cross(s_first, s_second, both));
        Thread second = Start("second", () => Cross(s_second, s_first, both));
        ThreadRest.Await(() => both.CurrentPhaseNumber > 0 && ThreadRest.IsAtRest(first) && ThreadRest.IsAtRest(second));
    }

    private static void Cross(object mine, object other, Barrier both)
    {
        lock (mine)
        {
            both.SignalAndWait();
            lock (other)
            {
                Console.WriteLine("crossed");
            }
        }
    }

    private static Thread Start(string name, ThreadStart run)
    {
        Thread thread = new(run) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }

    [LibraryImport("libc", EntryPoint = "abort")]
    private static partial void Abort();

    [LibraryImport("libc", EntryPoint = "memmove")]
    private static partial void Copy(nint to, nint from, nint size);
}

internal static class Orders
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Load(string? name) => name!.Length;

    public static async Task<int> LoadAsync()
    {
        await Task.Delay(50);
        return Load(null);
    }

    public static int Reload(string? name)
    {
        try
        {
            return Load(name);
        }
        catch (NullReferenceException e)
        {
            throw new InvalidOperationException("no orders", e);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Count(int depth) => 1 + Count(depth + 1) + Count(depth + 2);

    public static void FailFast()
    {
        try
        {
            Load(null);
        }
        catch (NullReferenceException e)
        {
            Environment.FailFast("orders are broken", e);
        }
    }
}
