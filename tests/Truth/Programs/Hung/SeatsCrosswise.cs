namespace Truth.Hung;

/// <summary>
/// An enrolment enters the office by await and continues, on its thread, to the waiting list's monitor; a promotion has the monitor and
/// waits for the office.
/// </summary>
internal static class SeatsCrosswise
{
    private static readonly Office s_office = new();

    public static async Task RunAsync()
    {
        Task enrols = Task.Run(() => s_office.EnrolAsync());
        Task promotes = Task.Run(s_office.Promote);
        Ready.WhenStill(() => s_office.IsEntered && s_office.IsPromoting);
        await Task.WhenAll(enrols, promotes);
    }

    private sealed class Office
    {
        private readonly SemaphoreSlim _writer = new(1, 1);
        private readonly Queue<int> _waiting = new();
        private volatile bool _isEntered;
        private volatile bool _isPromoting;

        public bool IsEntered => _isEntered;

        public bool IsPromoting => _isPromoting;

        public async Task EnrolAsync()
        {
            await _writer.WaitAsync();
            try
            {
                _isEntered = true;
                SpinWait.SpinUntil(() => _isPromoting);
                Join(7);
            }
            finally
            {
                _ = _writer.Release();
            }
        }

        public void Promote()
        {
            lock (_waiting)
            {
                SpinWait.SpinUntil(() => _isEntered);
                _isPromoting = true;
                _writer.Wait();
                try
                {
                    _ = _waiting.TryDequeue(out _);
                }
                finally
                {
                    _ = _writer.Release();
                }
            }
        }

        private void Join(int student)
        {
            lock (_waiting)
            {
                _waiting.Enqueue(student);
            }
        }
    }
}
