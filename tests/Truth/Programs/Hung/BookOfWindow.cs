using System.Collections.Concurrent;
namespace Truth.Hung;

/// <summary>
/// An async method of the window has the book and continues on the window's thread, which waits for the book to close it.
/// </summary>
internal static class BookOfWindow
{
    public static void Run()
    {
        Window window = new();
        Thread pump = new(window.Run) { Name = "window", IsBackground = true };
        pump.Start();
        Ready.WhenAtRest(() => window.HasMore, pump);
        pump.Join();
    }

    private sealed class Window : SynchronizationContext
    {
        private readonly BlockingCollection<(SendOrPostCallback Call, object? State)> _posted = [];
        private readonly SemaphoreSlim _book = new(1, 1);

        public bool HasMore => _posted.Count > 0;

        public override void Post(SendOrPostCallback d, object? state) => _posted.Add((d, state));

        public void Run()
        {
            SetSynchronizationContext(this);
            Post(_ => _ = SaveAsync(), null);
            Post(_ => Close(), null);
            foreach ((SendOrPostCallback call, object? state) in _posted.GetConsumingEnumerable())
            {
                call(state);
            }
        }

        private async Task SaveAsync()
        {
            await _book.WaitAsync();
            try
            {
                await Task.Yield();
            }
            finally
            {
                _ = _book.Release();
            }
        }

        private void Close()
        {
            _book.Wait();
            _posted.CompleteAdding();
            _ = _book.Release();
        }
    }
}
