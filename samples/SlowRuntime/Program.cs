using System.Reflection;
using System.Runtime.CompilerServices;
using OwnContextSend;
using Samples;

namespace SlowRuntime;

/// <summary>A finalizer, a static constructor, a timer's callback and a drawing that take long, and threads that wait for them. See README.md.</summary>
internal static class Program
{
    private const int Users = 5;

    private static int s_ticks;
    private static int s_lines;

    /// <summary>Never: so long does all of this take.</summary>
    public static bool IsOver => Environment.TickCount64 < 0;

    public static int Work()
    {
        int sum = 0;
        for (int i = 0; i < 1_000_000; i++)
        {
            sum ^= i;
        }

        return sum & 1;
    }

    private static void Main()
    {
        Stage.Start("starter", () => Console.WriteLine(Settings.Count));
        for (int user = 0; user < Users; user++)
        {
            Stage.Start($"user-{user}", () =>
            {
                Thread.Sleep(100);
                Console.WriteLine(Settings.Count);
            });
        }

        Stage.Start("trimmer", Trim);
        Stage.Start("closer", Close);
        Pump pump = new();
        Stage.Start("screen", pump.Run);
        pump.Post(_ => Draw(), null);
        Stage.Start("unloader", Unloading.Await);
        Stage.Start("importer", Importing.Await);
        MethodInfo use = Plugin.Load();
        Stage.Start("loader", () => use.CreateDelegate<Action>()());
        Stage.Start("caller", () =>
        {
            SpinWait.SpinUntil(() => Plugin.Steps > 0);
            use.CreateDelegate<Action>()();
        });
        Stage.Start("reporter", () => pump.Send(_ => Console.WriteLine("after the drawing"), null));
        while (Volatile.Read(ref Handle.Steps) < 20 || Volatile.Read(ref s_ticks) < 20 || Volatile.Read(ref s_lines) < 20
            || !Unloading.HasBegun || Volatile.Read(ref Importing.Steps) < 20
            || Plugin.Steps < 20)
        {
            Thread.Sleep(10);
        }

        Stage.Ready();
    }

    // A dump that catches the process in the middle of a collection shows nothing of its heap: there is only this one.
    private static void Trim()
    {
        Open();
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Open() => _ = new Handle();

    private static void Close()
    {
        using ManualResetEvent started = new(false);
        Timer timer = new(_ => Tick(started), null, TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        started.WaitOne();
        using ManualResetEvent ended = new(false);
        timer.Dispose(ended);
        ended.WaitOne();
    }

    private static void Draw()
    {
        while (!IsOver)
        {
            Thread.Sleep(5);
            Interlocked.Increment(ref s_lines);
        }
    }

    private static void Tick(ManualResetEvent started)
    {
        started.Set();
        while (!IsOver)
        {
            Thread.Sleep(5);
            Interlocked.Increment(ref s_ticks);
        }
    }
}
