using HangTriage.Facts;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Time;

/// <summary>What became of a thread since an earlier sample: the first of those in which it stands where it stands now, else the last before.</summary>
/// <param name="Between">The time from that sample to the one that is judged.</param>
/// <param name="Samples">In how many samples in a row, the one that is judged among them, it stands where it stands now.</param>
/// <param name="IsSameWait">It waits for the same things as then; null where that is not known, or it waits for nothing that is recorded.</param>
/// <param name="Cpu">The processor time that it used between; null where one of the samples does not say.</param>
internal sealed record ThreadHistory(Known<TimeSpan> Between, int Samples, bool? IsSameWait, TimeSpan? Cpu)
{
    /// <summary>One of the two samples lacks a fact, which the other has, that would tell whether the thread has moved on.</summary>
    public bool IsOpen { get; init; }

    /// <summary>
    /// How many work items of the thread pool it has completed between: with none it is in the same item. Null where one of the samples
    /// does not say.
    /// </summary>
    public uint? Completed { get; init; }

    /// <summary>How often it has left a processor between; null where one of the samples does not say.</summary>
    public long? Switches { get; init; }

    /// <summary>It has left its wait and come back to it, more often than the samples' own stops make it do; null where that is not known.</summary>
    public bool? HasWaitedAnew
        => Switches is not { } switches ? null
            : switches - ((Samples - 1) * Thresholds.SwitchesOfStop) is var beyond && beyond >= Thresholds.LeastSwitches
                && Between.TryGet(out TimeSpan between) && beyond >= between / Thresholds.LongestTurn;

    /// <summary>It was in the same loop, or below the same calls outside the system's layers, and in the same work item.</summary>
    public bool IsSamePlace => Samples > 1;

    /// <summary>It used much of the time between; null where that is not known.</summary>
    public bool? IsBusy => Cpu is { } cpu && Between.TryGet(out TimeSpan between) ? cpu >= between * Thresholds.BusyShareBetween : null;

    /// <summary>For how long it was ready between and others had the processors; null where one of the samples does not say.</summary>
    public TimeSpan? Ready { get; init; }

    /// <summary>It ran or wanted to run for much of the time between; null where that is not known.</summary>
    public bool? WantsProcessor
        => Cpu is { } cpu && Ready is { } ready && Between.TryGet(out TimeSpan between)
            ? cpu + ready >= between * Thresholds.BusyShareBetween
            : null;

    /// <summary>It has worked at all, or may have: how long it had for it is not always known. Null where its processor time is not.</summary>
    public bool? HasWorked
        => Cpu is not { } cpu ? null
            : cpu >= Thresholds.LeastWork && (!Between.TryGet(out TimeSpan between) || cpu >= between * Thresholds.LeastWorkShare);

    /// <summary>It was in the same loop and burned CPU in between.</summary>
    public bool IsSameLoop => IsSamePlace && IsBusy == true;

    /// <summary>A thread that waits now and was elsewhere then, waited for something else, has waited anew or has worked since, is not stuck since then.</summary>
    public bool HasMovedOn => !IsSamePlace || IsSameWait == false || HasWorked == true || HasWaitedAnew == true;
}
