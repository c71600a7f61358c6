using System.Globalization;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>
/// The thread that prints a program's READY line: it still has to come from the write to the wait that the line tells of, and on a busy
/// machine, or where that wait is compiled first, a dump could catch it on the way.
/// </summary>
public static class Speaker
{
    private const string Announcer = "announcer";
    private const int Looks = 10;

    // Who does that much behind the line is not on its way to a wait: computing or moving is the state that it tells of.
    private const int MostWaits = 20;
    private static readonly TimeSpan s_mostUsed = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(2);

    /// <summary>Returns when the first thread, and the one that only speaks, sleep look after look, or do more than go to sleep.</summary>
    public static async Task SettleAsync(int process, CancellationToken cancellation)
    {
        string[] threads =
            [.. Proc.Threads(process).Where(thread => Path.GetFileName(thread) == process.ToString(CultureInfo.InvariantCulture)
                || Proc.Status(thread, "Name") == Announcer)];
        foreach (string thread in threads)
        {
            await SettleAsync(thread, cancellation);
        }
    }

    private static async Task SettleAsync(string thread, CancellationToken cancellation)
    {
        TimeSpan used = Used(thread);
        long waits = Waits(thread), last = waits;
        for (int inARow = 0; inARow < Looks && Used(thread) - used < s_mostUsed && last - waits < MostWaits;)
        {
            await Task.Delay(s_step, cancellation);
            bool sleeps = Proc.StateOf(thread) is not 'R';
            long now = Waits(thread);
            inARow = sleeps && now == last ? inARow + 1 : 0;
            last = now;
        }
    }

    private static TimeSpan Used(string thread) => Proc.Used(thread) ?? TimeSpan.Zero;

    private static long Waits(string thread)
        => long.TryParse(Proc.Status(thread, "voluntary_ctxt_switches"), CultureInfo.InvariantCulture, out long waits) ? waits : 0;
}
