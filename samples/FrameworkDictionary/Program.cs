using Samples;

namespace FrameworkDictionary;

/// <summary>What became of many programs on .NET Framework: a table without a guard, two writers, and lookups without end.</summary>
internal static class Program
{
    private static void Main()
    {
        Thread.CurrentThread.Name = "main";
        Table<int, string> sessions = new();
        for (int i = 0; i < 3; i++)
        {
            sessions.Insert(i, $"session {i}");
        }

        sessions.PointToItself(1);
        int missing = 1 + sessions.Buckets;
        Finder[] finders = [new("request-1", sessions, missing), new("request-2", sessions, missing)];
        foreach (Finder finder in finders)
        {
            finder.Start();
        }

        while (!Array.TrueForAll(finders, finder => finder.IsInside))
        {
            Thread.Yield();
        }

        Stage.ReadyWhenCallerWaits();
        finders[0].Join();
    }
}
