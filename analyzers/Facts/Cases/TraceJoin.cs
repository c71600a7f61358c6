using System.Diagnostics.CodeAnalysis;

namespace HangTriage.Facts;

/// <summary>What joins a trace to the capture that is judged, or why it is not joined.</summary>
public sealed record TraceJoin
{
    private TraceJoin(JoinedBy? by, Known<TimeSpan> moment, string? whyNot)
    {
        By = by;
        Moment = moment;
        WhyNot = whyNot;
    }

    /// <summary>How the two are known to be of one process; null where they are not joined, or there is no capture to join.</summary>
    public JoinedBy? By { get; }

    /// <summary>When the capture was taken, from the window's start; longer than the window where it was taken after the trace's end.</summary>
    public Known<TimeSpan> Moment { get; }

    /// <summary>A clause about the trace; null where it is joined.</summary>
    public string? WhyNot { get; }

    [MemberNotNullWhen(false, nameof(WhyNot))]
    public bool IsJoined => WhyNot is null;

    internal static TraceJoin Joined(JoinedBy by, Known<TimeSpan> moment) => new(by, moment, null);

    /// <summary>There is no capture: the process is judged as at the trace's end.</summary>
    internal static TraceJoin Alone(TimeSpan length) => new(null, Known.Derived(length), null);

    internal static TraceJoin Refused(string whyNot) => new(null, Known.Unknown<TimeSpan>("moment of the capture", whyNot), whyNot);
}
