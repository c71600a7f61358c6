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

    /// <summary>It is there, and not only as what its parent has not asked for yet.</summary>
    public static bool Runs(int process)
    {
        try
        {
            string stat = File.ReadAllText($"/proc/{process}/stat");
            return stat[stat.LastIndexOf(')') + 2] is not ('Z' or 'X');
        }
        catch (IOException)
        {
            return false;
        }
    }
}
