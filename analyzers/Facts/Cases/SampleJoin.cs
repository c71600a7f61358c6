using System.Diagnostics.CodeAnalysis;

namespace HangTriage.Facts;

/// <summary>What joins an earlier sample to the one that is judged, or why it is not joined.</summary>
public sealed record SampleJoin
{
    private SampleJoin(int given, JoinedBy? by, Known<TimeSpan> between, string? whyNot)
    {
        Given = given;
        By = by;
        Between = between;
        WhyNot = whyNot;
    }

    /// <summary>The sample's place in the order in which the samples were given, from 0.</summary>
    public int Given { get; }

    /// <summary>How the two are known to be of one process; null where they are not joined.</summary>
    public JoinedBy? By { get; }

    /// <summary>From this sample to the one that is judged. Assumed where a time is that of a file.</summary>
    public Known<TimeSpan> Between { get; }

    /// <summary>A clause about the earlier sample; null where it is joined.</summary>
    public string? WhyNot { get; }

    [MemberNotNullWhen(false, nameof(WhyNot))]
    public bool IsJoined => WhyNot is null;

    internal static SampleJoin Joined(int given, JoinedBy by, Known<TimeSpan> between) => new(given, by, between, null);

    internal static SampleJoin Refused(int given, string whyNot)
        => new(given, null, Known.Unknown<TimeSpan>("time between the captures", whyNot), whyNot);
}
