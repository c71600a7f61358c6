using HangTriage.Facts;

namespace HangTriage.Capture;

/// <summary>
/// The time of a dump's file stands in for the time of the capture where the dump records none, as no Linux core does. It is
/// assumed: a copy or a download can have a time of its own.
/// </summary>
internal static class FileTime
{
    /// <summary>When the file was last written; null where that is not known.</summary>
    public static DateTimeOffset? Of(string path)
    {
        try
        {
            return File.Exists(path) ? new DateTimeOffset(File.GetLastWriteTimeUtc(path)) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    public static ProcessSnapshot Assume(ProcessSnapshot snapshot, DateTimeOffset? time)
        => time is { } instant && !snapshot.Target.CapturedAt.HasValue
            ? snapshot with { Target = snapshot.Target with { CapturedAt = Known<DateTimeOffset>.Of(instant, Trust.Assumed) } }
            : snapshot;
}
