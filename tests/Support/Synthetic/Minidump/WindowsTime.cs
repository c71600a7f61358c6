namespace HangTriage.Tests.Support.Synthetic;

/// <summary>Times as Windows and minidumps write them.</summary>
internal static class WindowsTime
{
    /// <summary>A FILETIME: 100 ns since 1601.</summary>
    public static ulong FileTime(DateTime time) => (ulong)time.ToFileTimeUtc();

    /// <summary>A time_t: seconds since 1970.</summary>
    public static uint UnixSeconds(DateTime time) => (uint)new DateTimeOffset(time).ToUnixTimeSeconds();
}
