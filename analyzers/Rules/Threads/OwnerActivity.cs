using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>What a thread that others wait for does, and how that is known.</summary>
/// <param name="Doing">What it does.</param>
/// <param name="Confidence">How sure that is; never certain, since what a loop waits for and when work ends is in no capture.</param>
/// <param name="Reason">Why it is that sure and no surer.</param>
/// <param name="Evidence">The signs, one piece each.</param>
/// <param name="Contradictions">What speaks against it.</param>
/// <param name="Signals">The signs themselves, for texts.</param>
internal sealed record OwnerActivity(
    OwnerDoing Doing,
    Confidence Confidence,
    string Reason,
    IReadOnlyList<Evidence> Evidence,
    IReadOnlyList<Evidence> Contradictions,
    SpinSignals Signals)
{
    public static OwnerActivity Of(ThreadAssessment thread, RuleContext context)
    {
        SpinSignals signals = SpinSignals.Of(thread, context);
        (OwnerDoing doing, Confidence confidence, string reason) = Judge(signals);
        string label = Parties.Label(context, thread.Thread.OsId);
        return new OwnerActivity(
            doing, confidence, reason, [.. SpinText.Evidence(signals, label)], [.. SpinText.Contradictions(signals, label)], signals);
    }

    private static (OwnerDoing Doing, Confidence Confidence, string Reason) Judge(SpinSignals signals)
        => signals switch
        {
            { Spins: true } => (OwnerDoing.Spins, signals.IsConfirmed ? Confidence.Likely : Confidence.Possible, SpinText.Reason(signals)),
            { Computes: true, Progress: { } progress } => (
                OwnerDoing.Computes,
                Confidence.Likely,
                $"it was caught in its own code and has burned CPU in the {SpinText.Duration(progress.Between)} since the earlier capture"),
            { Computes: true } => (
                OwnerDoing.Computes,
                Confidence.Likely,
                "it was caught in its own code and has been busy for much of its life; one capture cannot show whether its work ends"),
            { State: ThreadActivity.Running, IsBusy: null } => (
                OwnerDoing.Computes, Confidence.Possible, "it was caught in its own code, and its CPU time is not in the input"),
            { State: ThreadActivity.Running } => (
                OwnerDoing.Unknown, Confidence.Possible, "it was caught in its own code, and has used little CPU: it may be about to get on"),
            { State: ThreadActivity.Yielding } => (
                OwnerDoing.Unknown, Confidence.Possible, "it was caught in a yield, and nothing else shows that it spins"),
            { State: ThreadActivity.Unknown } => (OwnerDoing.Unknown, Confidence.Possible, "its stack does not tell what it does"),
            _ => (OwnerDoing.Waits, Confidence.Likely, "its innermost frames are those of a wait"),
        };
}
