using System.Linq.Expressions;

namespace GivenSignals;

/// <content>Waits for what timers give where there is something to give it to.</content>
internal static partial class Program
{
    private static readonly TimeSpan s_late = TimeSpan.FromHours(1);

    private static void Timers()
    {
        Hatches();
        Valves();
        Flues();
        Made();
    }

    // Taken out of its field first.
    private static void Hatches()
    {
        Hatch hatch = new();
        s_kept.Add(new Timer(_ => hatch.Open(), null, s_late, s_late));
        Flow("HatchAsync", "Timer", "Timer", HatchAsync(hatch.Opened));
    }

    private static async Task HatchAsync(Task opened) => await opened;

    // The same, without a lock.
    private static void Valves()
    {
        Valve valve = new();
        s_kept.Add(new Timer(_ => valve.Open(), null, s_late, s_late));
        Flow("ValveAsync", "Timer", "Timer", ValveAsync(valve.Opened));
    }

    private static async Task ValveAsync(Task opened) => await opened;

    // Given where there is something else.
    private static void Flues()
    {
        Flue flue = new();
        s_kept.Add(new Timer(_ => flue.Open(), null, s_late, s_late));
        Flow("FlueAsync", "Timer", "-", FlueAsync(flue.Opened));
    }

    private static async Task FlueAsync(Task opened) => await opened;

    // Code that is made at run time, and has not been called.
    private static void Made()
        => s_kept.Add(Expression.Lambda<Func<int, int>>(Expression.Constant(7), Expression.Parameter(typeof(int))).Compile());

    private sealed class Hatch
    {
        private readonly object _gate = new();
        private TaskCompletionSource? _closed = new();

        public Task Opened => _closed!.Task;

        public void Open()
        {
            TaskCompletionSource? closed;
            lock (_gate)
            {
                closed = _closed;
                _closed = null;
            }

            closed?.TrySetResult();
        }
    }

    private sealed class Valve
    {
        private TaskCompletionSource? _closed = new();

        public Task Opened => _closed!.Task;

        public void Open()
        {
            if (Interlocked.Exchange(ref _closed, null) is { } closed)
            {
                closed.TrySetResult();
            }
        }
    }

    private sealed class Flue
    {
        private readonly TaskCompletionSource _closed = new();
        private object? _fire;

        public Task Opened => _closed.Task;

        public void Light() => _fire = new object();

        public void Open()
        {
            if (_fire is not null)
            {
                _closed.TrySetResult();
            }
        }
    }
}
