namespace Truth.Hung;

/// <summary>A task that has the turn of an exclusive scheduler blocks on an async method, the rest of which is queued to that scheduler.</summary>
internal static class ExclusiveTurnTaken
{
    public static void Run()
    {
        Ledger ledger = new();
        Ready.WhenStill(() => ledger.Queued == 1);
        ledger.PostAsync(7).Wait();
    }

    private sealed class Ledger
    {
        private readonly ConcurrentExclusiveSchedulerPair _turns = new();
        private volatile bool _isAudited;

        public int Queued => _isAudited ? 1 : 0;

        public Task PostAsync(int entry)
            => Task.Factory.StartNew(() => Post(entry), CancellationToken.None, TaskCreationOptions.None, _turns.ExclusiveScheduler);

        private void Post(int entry) => Console.WriteLine($"posted as {AuditAsync(entry).Result}");

        private async Task<int> AuditAsync(int entry)
        {
            await Task.Run(() => _isAudited = true);
            return entry * 100;
        }
    }
}
