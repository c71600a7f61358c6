namespace SlowRuntime;

/// <summary>Its static constructor takes long, and works all the time.</summary>
internal static class Settings
{
    public static readonly int Count;

    static Settings()
    {
        while (!Program.IsOver)
        {
            Count += Program.Work();
            Thread.Sleep(5);
        }
    }
}
