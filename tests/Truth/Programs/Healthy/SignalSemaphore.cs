using System.Collections.Concurrent;

namespace Truth.Healthy;

/// <summary>A semaphore that counts work to be done, and is empty most of the time: a thread and a flow wait for it, a timer releases it.</summary>
internal static class SignalSemaphore
{
    public static void Run()
    {
        WorkQueue queue = new();
        new Thread(queue.Work) { Name = "worker", IsBackground = true }.Start();
        _ = queue.WorkAsync();
        using Timer source = new(_ => queue.Add("job"), null, 0, 150);
        Ready.When(() => queue.Done > 4);
        Thread.Sleep(Timeout.Infinite);
    }

    private sealed class WorkQueue
    {
        private readonly SemaphoreSlim _available = new(0);
        private readonly ConcurrentQueue<string> _jobs = new();
        private int _done;

        public int Done => Volatile.Read(ref _done);

        public void Add(string job)
        {
            _jobs.Enqueue(job);
            _available.Release();
        }

        public void Work()
        {
            while (true)
            {
                _available.Wait();
                Take();
            }
        }

        public async Task WorkAsync()
        {
            while (true)
            {
                await _available.WaitAsync();
                Take();
            }
        }

        private void Take()
        {
            if (_jobs.TryDequeue(out _))
            {
                Interlocked.Increment(ref _done);
            }
        }
    }
}
