namespace HangTriage.Facts.Time;

/// <summary>How long something had lasted when the target was captured: not less than one time and not more than another.</summary>
/// <param name="AtLeast">It is not younger; zero says nothing.</param>
/// <param name="AtMost">It is not older; null where nothing bounds it.</param>
/// <param name="Source">The clock in the target that tells: "starvation stamp of the monitor".</param>
public sealed record Age(TimeSpan AtLeast, TimeSpan? AtMost, string Source)
{
    /// <summary>The two are as good as one number.</summary>
    public bool IsExact() => AtMost is { } most && most - AtLeast <= TimeSpan.FromSeconds(1);
}
