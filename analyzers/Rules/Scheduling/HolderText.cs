using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Scheduling;

/// <summary>The figures of a trace that show a holder.</summary>
internal static class HolderText
{
    private const string Source = "trace";

    public static IEnumerable<Evidence> Evidence(HolderRun run, Claim label)
    {
        TraceWait wait = run.Longest;
        string until = string.Create(CultureInfo.InvariantCulture, $"from {wait.From.TotalSeconds:0.000} s to {(wait.From + wait.Length).TotalSeconds:0.000} s");
        yield return Of(run.Waiters[0], $"thread {run.Waiters[0].OsId} waited {until}, for {Durations.Of(wait.Length)}, and was readied by {label}");
        yield return Of(run.Holder, $"{label} readied {Count.Of(run.Waiters.Count, "thread")} that waited for {Durations.Of(run.Waiters[^1].LongestWait!.Length)} to {Durations.Of(wait.Length)} each");
        yield return Of(run.Holder, $"{label} ran for at least {Durations.Of(run.Running)} of these {Durations.Of(wait.Length)}");
        if (run.Place is { } place)
        {
            yield return Of(run.Holder, string.Create(CultureInfo.InvariantCulture, $"{place.Samples} of its {run.Holder.Samples} samples are in {place.Name}"));
        }

        if (run.Yields > 0)
        {
            yield return Of(run.Holder, string.Create(CultureInfo.InvariantCulture, $"it gave its processor away {run.Yields} times"));
        }
    }

    private static Evidence Of(TraceThread thread, Claim claim) => new(claim, Source, Trust.Derived) { Thread = thread.OsId };
}
