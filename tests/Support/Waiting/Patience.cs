using System.Diagnostics;

namespace HangTriage.Tests.Support.Waiting;

/// <summary>
/// A bound by progress and not by the clock: it is at an end where the processes that are waited for stand still for minutes,
/// have been idle for longer in all than anything that they wait for takes, or have used more processor time than they can need. A
/// busy machine makes none of it come sooner: who waits for a processor is not idle.
/// </summary>
public sealed class Patience
{
    /// <summary>How long a process may stand still.</summary>
    public static readonly TimeSpan Standstill = TimeSpan.FromMinutes(3);

    // Who asks every millisecond for what never comes does not stand still, and uses little.
    private static readonly TimeSpan s_mostIdle = TimeSpan.FromMinutes(5);

    // What the own threads of an idle runtime do in so long stays below this.
    private static readonly TimeSpan s_least = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan s_look = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_longestLook = TimeSpan.FromSeconds(5);

    private readonly TreeActivity _activity;
    private readonly TimeSpan _mostUsed;
    private readonly Stopwatch _sinceLook = Stopwatch.StartNew();
    private TimeSpan _stoodStill;
    private TimeSpan _done;
    private TimeSpan _idle;

    /// <param name="mostUsed">The processor time beyond which what is waited for does not come.</param>
    /// <param name="processes">Who is waited for, with those below them.</param>
    public Patience(TimeSpan mostUsed, params int[] processes)
        : this(mostUsed, () => processes)
    {
    }

    /// <summary>The same where those who are waited for come and go.</summary>
    public Patience(TimeSpan mostUsed, Func<IEnumerable<int>> processes)
    {
        _mostUsed = mostUsed;
        _activity = new TreeActivity(processes);
    }

    /// <summary>Why there is no more of it; null while there is.</summary>
    public string? End
    {
        get
        {
            if (_sinceLook.Elapsed < s_look)
            {
                return null;
            }

            // Where this process itself was not let run, nobody has looked.
            TimeSpan time = _sinceLook.Elapsed > s_longestLook ? s_longestLook : _sinceLook.Elapsed;
            _sinceLook.Restart();
            TimeSpan done = _activity.Look();
            _idle += time > done ? time - done : TimeSpan.Zero;
            _stoodStill += time;
            _done += done;
            if (_done > s_least)
            {
                _stoodStill = TimeSpan.Zero;
                _done = TimeSpan.Zero;
            }

            return _activity.Used > _mostUsed ? $"it has used {_activity.Used.TotalSeconds:0} s of processor time"
                : _stoodStill > Standstill ? $"it has stood still for {_stoodStill.TotalSeconds:0} s"
                : _idle > s_mostIdle ? $"it has been idle for {_idle.TotalSeconds:0} s"
                : null;
        }
    }

    /// <summary>Waits until it is so, and looks each few milliseconds, or as often as is said.</summary>
    /// <exception cref="TimeoutException">It never comes to be.</exception>
    public async Task UntilAsync(string what, Func<bool> isSo, CancellationToken cancellation, TimeSpan? step = null)
    {
        while (!isSo())
        {
            if (End is { } why)
            {
                throw new TimeoutException($"{what}: {why}");
            }

            await Task.Delay(step ?? s_step, cancellation);
        }
    }
}
