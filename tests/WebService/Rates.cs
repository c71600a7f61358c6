namespace WebService;

/// <summary>Requests wait in a loop, without a lock, for rates that nobody loads.</summary>
internal static class Rates
{
    private static bool s_areLoaded;

    public static string Await()
    {
        SpinWait spin = default;
        while (!Volatile.Read(ref s_areLoaded))
        {
            spin.SpinOnce();
        }

        return "loaded";
    }

    public static string AwaitBusily()
    {
        while (!Volatile.Read(ref s_areLoaded))
        {
        }

        return "loaded";
    }
}
