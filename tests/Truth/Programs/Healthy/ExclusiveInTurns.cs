namespace Truth.Healthy;

/// <summary>
/// Tasks take turns on an exclusive scheduler. The one that has the turn blocks on an async method that does not need it, and
/// readers of the other half wait meanwhile, as Main does for a writer that is queued.
/// </summary>
internal static class ExclusiveInTurns
{
    public static void Run()
    {
        Ledger ledger = new();
        Task first = ledger.WriteAsync(1);
        Task[] readers = [.. Enumerable.Range(0, 3).Select(_ => ledger.ReadAsync())];
        Task second = ledger.WriteAsync(2);
        Ready.When(() => ledger.IsWriting && readers.All(reader => reader.Status == TaskStatus.WaitingToRun));
        second.Wait();
        Task.WaitAll([first, .. readers]);
    }

    private sealed class Ledger
    {
        private readonly ConcurrentExclusiveSchedulerPair _turns = new();

        public bool IsWriting { get; private set; }

        public Task WriteAsync(int entry)
            => Task.Factory.StartNew(() => Write(entry), CancellationToken.None, TaskCreationOptions.None, _turns.ExclusiveScheduler);

        public Task ReadAsync()
            => Task.Factory.StartNew(static () => Console.WriteLine("read"), CancellationToken.None, TaskCreationOptions.None, _turns.ConcurrentScheduler);

        private void Write(int entry)
        {
            IsWriting = true;
            SaveAsync(entry).Wait();
        }

        private static async Task SaveAsync(int entry)
        {
            for (int page = 0; page < 60; page++)
            {
                await Task.Delay(TimeSpan.FromSeconds(2)).ConfigureAwait(false);
                Console.WriteLine($"saved page {page} of {entry}");
            }
        }
    }
}
