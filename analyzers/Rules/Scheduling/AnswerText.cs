using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Scheduling;

/// <summary>The figures of a trace that show who ended a wait.</summary>
internal static class AnswerText
{
    private const string Source = "trace";

    /// <summary>Frames of a stack that one line shows.</summary>
    private const int MostFrames = 6;

    public static IEnumerable<Evidence> Evidence(TraceFacts trace, ProcessAnswer answer, Claim label)
    {
        TraceThread waiter = answer.Waiters[0];
        TraceWait wait = answer.Longest;
        string reason = wait.Reason.TryGet(out string? why) ? $" ({why})" : string.Empty;
        string until = string.Create(CultureInfo.InvariantCulture, $"from {wait.From.TotalSeconds:0.000} s to {(wait.From + wait.Length).TotalSeconds:0.000} s");
        yield return Of(waiter, $"{label} waited {until}{reason} and was readied by thread {answer.By.Thread} of {answer.Name} after {Durations.Of(wait.Length)}");
        if (Stack(answer.By.Stack) is { } by)
        {
            yield return Of(waiter, $"it was readied from {by}");
        }

        if (Stack(wait.Stack) is { } at)
        {
            yield return Of(waiter, $"it waited in {at}");
        }

        if (trace.Readiers.FirstOrDefault(readier => waiter.Pid.Is(pid => pid == readier.Pid) && readier.ByPid == answer.Pid) is { } all)
        {
            yield return Of(waiter, $"{answer.Name} ended {Count.Of((int)Math.Min(all.Waits, int.MaxValue), "wait")} of the process's threads: {Durations.Of(all.Time)} of the trace's {Durations.Of(trace.Length)}, what several threads waited at once counted once");
        }
    }

    public static IEnumerable<Gap> Gaps(ProcessAnswer answer)
    {
        if (answer.By.Stack.Gap is { } gap)
        {
            yield return new Gap($"what {answer.Name} did when it ended the wait", gap.Why);
        }
    }

    private static string? Stack(Known<IReadOnlyList<string>> stack)
        => stack.TryGet(out IReadOnlyList<string>? frames) && frames.Count > 0
            ? string.Join(" < ", frames.Take(MostFrames)) + (frames.Count > MostFrames ? " < ..." : string.Empty)
            : null;

    private static Evidence Of(TraceThread thread, Claim claim) => new(claim, Source, Trust.Derived) { Thread = thread.OsId };
}
