using Samples;

namespace Turns;

/// <summary>
/// Threads in loops that look and sleep for an hour. While they sleep what some of them look for comes ("come-"); others would look in vain
/// ("waits-"); and of some the loop alone does not say which value it looks at ("unclear-").
/// </summary>
internal static class Program
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static long s_total;
    private static object? s_found;

    private static void Main()
    {
        Desk desk = new();
        Desk first = new();
        Desk second = new();
        bool isOpen = false;
        Thread[] threads =
        [
            Stage.Start("come-variable", () => Look(() => { while (!Volatile.Read(ref isOpen)) { Thread.Sleep(s_hour); } })),
            Stage.Start("come-property", desk.AwaitGuest),
            Stage.Start("come-total", AwaitTotal),
            Stage.Start("come-object", AwaitObject),
            Stage.Start("waits-stage", desk.AwaitEvening),
            Stage.Start("waits-both", desk.AwaitBoth),
            Stage.Start("waits-method", desk.AwaitMethod),
            Stage.Start("waits-either", () => Desk.AwaitAny(first, second)),
            Stage.Start("unclear-one", () => Desk.AwaitSecond(desk, second)),
            Stage.Start("unclear-number", () => desk.AwaitNumber(3)),
        ];
        ThreadRest.Await(() => threads.All(ThreadRest.IsAtRest));
        Volatile.Write(ref isOpen, true);
        desk.Guest = "one";
        Volatile.Write(ref s_total, 11);
        s_found = desk;
        if (Environment.TickCount64 < 0)
        {
            desk.Close(3);
        }

        Stage.Ready();
    }

    private static void Look(Action loop) => loop();

    private static void AwaitTotal()
    {
        while (Interlocked.Read(ref s_total) <= 10)
        {
            Thread.Sleep(s_hour);
        }
    }

    private static void AwaitObject()
    {
        while (s_found is null)
        {
            Thread.Sleep(s_hour);
        }
    }

    private enum Hours
    {
        Morning,
        Evening,
    }

    private sealed class Desk
    {
        private readonly TimeSpan _pause = s_hour;
        private volatile Hours _hours;
        private int _number;

        public string? Guest { get; set; }

        private bool IsEvening => _hours == Hours.Evening;

        public void Close(int number)
        {
            _number = number;
            _hours = Hours.Evening;
        }

        public void AwaitGuest()
        {
            while (Guest == null)
            {
                Thread.Sleep(_pause);
            }
        }

        public void AwaitEvening()
        {
            while (_hours != Hours.Evening)
            {
                Thread.Sleep(_pause);
            }
        }

        public void AwaitBoth()
        {
            while (!(Guest != null && _hours == Hours.Evening))
            {
                Thread.Sleep(_pause);
            }
        }

        public void AwaitMethod()
        {
            while (!IsEvening)
            {
                Thread.Sleep(_pause);
            }
        }

        public void AwaitNumber(int wanted)
        {
            while (_number != wanted)
            {
                Thread.Sleep(_pause);
            }
        }

        public static void AwaitAny(Desk one, Desk other)
        {
            while (one.Guest == null && other.Guest == null)
            {
                Thread.Sleep(one._pause);
            }
        }

        public static void AwaitSecond(Desk one, Desk other)
        {
            while (other.Guest == null)
            {
                Thread.Sleep(one._pause);
            }
        }
    }
}
