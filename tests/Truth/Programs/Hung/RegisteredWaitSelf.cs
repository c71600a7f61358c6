namespace Truth.Hung;

/// <summary>The callback of a registered wait unregisters it and waits for its last callback, which is itself; Main waits for what it was to do.</summary>
internal static class RegisteredWaitSelf
{
    public static void Run()
    {
        Doorbell doorbell = new();
        doorbell.Open();
        Ready.When(() => doorbell.IsLeaving);
        doorbell.Answered.WaitOne();
    }

    private sealed class Doorbell
    {
        private readonly AutoResetEvent _ring = new(false);
        private RegisteredWaitHandle? _wait;

        public bool IsLeaving { get; private set; }

        public ManualResetEvent Answered { get; } = new(false);

        public void Open()
        {
            _wait = ThreadPool.RegisterWaitForSingleObject(_ring, OnRing, null, Timeout.Infinite, executeOnlyOnce: false);
            _ring.Set();
        }

        private void OnRing(object? state, bool isTimeout)
        {
            using ManualResetEvent gone = new(false);
            _wait!.Unregister(gone);
            IsLeaving = true;
            gone.WaitOne();
            Answered.Set();
        }
    }
}
