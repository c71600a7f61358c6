namespace Truth.Healthy;

/// <summary>A program watches a folder; its first thread waits for an event that Ctrl+C sets.</summary>
internal static class FileWatcher
{
    private static int s_seen;

    public static void Run()
    {
        string folder = Directory.CreateDirectory(Scratch.File("watched")).FullName;
        using ManualResetEvent exit = new(false);
        Console.CancelKeyPress += (_, e) =>
        {
            e.Cancel = true;
            exit.Set();
        };
        using FileSystemWatcher watcher = new(folder);
        watcher.Created += (_, _) => Interlocked.Increment(ref s_seen);
        watcher.EnableRaisingEvents = true;
        File.WriteAllText(Path.Combine(folder, "order.txt"), "1");
        Ready.WhenStill(() => Volatile.Read(ref s_seen) > 0);
        exit.WaitOne();
        Directory.Delete(folder, recursive: true);
    }
}
