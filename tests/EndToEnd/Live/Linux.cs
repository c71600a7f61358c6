using HangTriage.Tests.Support;

namespace HangTriage.Tests.EndToEnd.Live;

internal static class Linux
{
    /// <summary>Skips the test elsewhere.</summary>
    public static void Need()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("live processes are read on Linux");
        }
    }
}
