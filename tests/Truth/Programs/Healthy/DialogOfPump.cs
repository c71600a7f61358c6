using System.Collections.Concurrent;

namespace Truth.Healthy;

/// <summary>
/// A thread that serves its own queue is in a nested round of that, of a dialog that closes itself by a timer's post; the rules wait for
/// its answer, and a clock posts redraws.
/// </summary>
internal static class DialogOfPump
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(7);
    private static readonly TimeSpan s_redraw = TimeSpan.FromMilliseconds(500);
    private static bool s_isOpen;
    private static int s_redraws;

    public static void Run()
    {
        Pump pump = new();
        using Timer clock = new(_ => pump.Post(_ => s_redraws++, null), null, s_redraw, s_redraw);
        Thread window = new(pump.Run) { Name = "window" };
        Thread rules = new(() => Ask(pump)) { Name = "rules" };
        window.Start();
        rules.Start();
        Ready.WhenAtRest(() => Volatile.Read(ref s_isOpen), window, rules);
        rules.Join();
        window.Join();
    }

    private static void Ask(Pump pump)
    {
        Console.WriteLine(pump.Invoke(() => new Dialog(pump, s_limit).Show()));
        pump.Post(_ => pump.IsOver = true, null);
    }

    private sealed class Dialog(Pump pump, TimeSpan limit)
    {
        private string? _answer;

        public string Show()
        {
            using Timer timer = new(_ => pump.Post(_ => _answer ??= "nobody has answered", null), null, limit, Timeout.InfiniteTimeSpan);
            Volatile.Write(ref s_isOpen, true);
            pump.ServeUntil(() => _answer is not null);
            return _answer!;
        }
    }

    private sealed class Pump : SynchronizationContext
    {
        private readonly BlockingCollection<(SendOrPostCallback Call, object? State)> _messages = [];

        public bool IsOver { get; set; }

        public override void Post(SendOrPostCallback d, object? state) => _messages.Add((d, state));

        public string Invoke(Func<string> work)
        {
            using ManualResetEventSlim done = new();
            string result = string.Empty;
            Post(
                _ =>
                {
                    try
                    {
                        result = work();
                    }
                    finally
                    {
                        done.Set();
                    }
                },
                null);
            done.Wait();
            return result;
        }

        public void Run()
        {
            SetSynchronizationContext(this);
            ServeUntil(() => IsOver);
        }

        public void ServeUntil(Func<bool> isOver)
        {
            while (!isOver())
            {
                (SendOrPostCallback call, object? state) = _messages.Take();
                call(state);
            }
        }
    }
}
