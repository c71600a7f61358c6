using Samples;

namespace WatcherWait;

/// <summary>A handler of a file system watcher waits for the watcher's next event. See README.md.</summary>
internal static class Program
{
    private static volatile Thread? s_handler;

    private static void Main()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("orders");
        using FileSystemWatcher watcher = new(folder.FullName);
        watcher.Created += (_, _) => Import(watcher);
        watcher.EnableRaisingEvents = true;
        File.WriteAllText(Path.Combine(folder.FullName, "order.txt"), "1");
        while (s_handler is null)
        {
            Thread.Yield();
        }

        while (!ThreadRest.IsAtRest(s_handler))
        {
            Thread.Yield();
        }

        folder.Delete(recursive: true);
        Stage.ReadyWhenAllWait(s_handler);
    }

    private static void Import(FileSystemWatcher watcher)
    {
        s_handler = Thread.CurrentThread;
        watcher.WaitForChanged(WatcherChangeTypes.Deleted);
    }
}
