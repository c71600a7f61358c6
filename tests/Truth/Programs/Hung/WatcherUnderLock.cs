using Samples;

namespace Truth.Hung;

/// <summary>Settings are written under a lock, and the writer waits for the watcher's notice of it, whose handler takes the lock.</summary>
internal static class WatcherUnderLock
{
    public static void Run()
    {
        using Settings settings = new(Directory.CreateDirectory(Scratch.File("settings")).FullName);
        Thread main = Thread.CurrentThread;
        Ready.WhenAtRest(() => settings.Reloader is { } reloader && ThreadRest.IsAtRest(reloader), main);
        settings.Save("a=1");
    }

    private sealed class Settings : IDisposable
    {
        private readonly string _folder;
        private readonly FileSystemWatcher _watcher;
        private readonly object _sync = new();
        private readonly AutoResetEvent _isReloaded = new(false);
        private string _text = string.Empty;

        public Settings(string folder)
        {
            _folder = folder;
            _watcher = new FileSystemWatcher(folder);
            _watcher.Created += (_, e) => Reload(e.FullPath);
            _watcher.EnableRaisingEvents = true;
        }

        public volatile Thread? Reloader;

        public void Save(string text)
        {
            lock (_sync)
            {
                File.WriteAllText(Path.Combine(_folder, "settings.ini"), text);
                _isReloaded.WaitOne();
                Console.WriteLine(_text);
            }
        }

        public void Dispose()
        {
            _watcher.Dispose();
            _isReloaded.Dispose();
        }

        private void Reload(string file)
        {
            Reloader = Thread.CurrentThread;
            lock (_sync)
            {
                _text = File.ReadAllText(file);
            }

            _isReloaded.Set();
        }
    }
}
