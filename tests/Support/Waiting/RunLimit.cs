using System.Diagnostics;

namespace HangTriage.Tests.Support.Waiting;

/// <summary>When a run counts as one that does not end: by its processor time, or where it stands still for minutes. The clock alone says nothing on a busy machine.</summary>
public static class RunLimit
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(200);

    /// <summary>Waits for the end of a run; false where it does not end.</summary>
    /// <param name="process">The process of the run, and those that it has started.</param>
    /// <param name="hasEnded">Waits so long, and says whether the run has ended.</param>
    /// <param name="limit">How much processor time a run may use.</param>
    public static bool Wait(Process process, Func<TimeSpan, bool> hasEnded, TimeSpan limit) => WhyNot(process, hasEnded, limit) is null;

    /// <summary>The same; why it is not waited for any longer, and null where it has ended.</summary>
    public static string? WhyNot(Process process, Func<TimeSpan, bool> hasEnded, TimeSpan limit) => WhyNot(new Patience(limit, process.Id), hasEnded);

    /// <summary>The same for a run whose work others do, too.</summary>
    public static string? WhyNot(Patience patience, Func<TimeSpan, bool> hasEnded)
    {
        string? end = null;
        while (!hasEnded(s_interval) && (end = patience.End) is null)
        {
        }

        return end;
    }
}
