namespace SlowRuntime;

/// <summary>A handler of a file system watcher takes long, and a thread waits for the next event.</summary>
internal static class Importing
{
    public static int Steps;

    public static void Await()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("orders");
        using FileSystemWatcher watcher = new(folder.FullName);
        using ManualResetEventSlim isCalled = new();
        watcher.Created += (_, _) =>
        {
            isCalled.Set();
            Import();
        };
        watcher.EnableRaisingEvents = true;
        File.WriteAllText(Path.Combine(folder.FullName, "order.txt"), "1");
        isCalled.Wait();
        folder.Delete(recursive: true);
        watcher.WaitForChanged(WatcherChangeTypes.All);
    }

    private static void Import()
    {
        while (!Program.IsOver)
        {
            Thread.Sleep(5);
            Interlocked.Increment(ref Steps);
        }
    }
}
