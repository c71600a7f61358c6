using Samples;

namespace Truth.Hung;

/// <summary>Main cancels under a lock; a callback of the token waits until the worker has left, and the worker needs the lock for that.</summary>
internal static class CancelledUnderLock
{
    public static void Run()
    {
        Downloads downloads = new();
        Thread worker = new(downloads.Work) { Name = "download" };
        worker.Start();
        downloads.Started.Wait();
        Ready.When(() => ThreadRest.IsAtRest(worker) && downloads.IsStopping);
        downloads.StopAll();
        worker.Join();
    }

    private sealed class Downloads
    {
        private readonly object _gate = new();
        private readonly CancellationTokenSource _stop = new();
        private readonly ManualResetEventSlim _left = new();

        public ManualResetEventSlim Started { get; } = new();

        public bool IsStopping => _stop.IsCancellationRequested;

        public void Work()
        {
            using CancellationTokenRegistration registration = _stop.Token.Register(() => _left.Wait());
            Started.Set();
            while (!_stop.IsCancellationRequested)
            {
                Thread.Sleep(10);
            }

            lock (_gate)
            {
                _left.Set();
            }
        }

        public void StopAll()
        {
            lock (_gate)
            {
                _stop.Cancel();
            }
        }
    }
}
