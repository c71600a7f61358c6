using HangTriage.Tests.Support;

namespace HangTriage.Tests.Truth;

internal static class Cores
{
    public static void Require()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }
    }
}
