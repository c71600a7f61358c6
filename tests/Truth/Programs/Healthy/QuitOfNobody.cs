namespace Truth.Healthy;

/// <summary>Main waits for an order to quit, which no code gives yet; a board asks for it between two looks at the work that goes on.</summary>
internal static class QuitOfNobody
{
    public static void Run()
    {
        ControlRoom room = new();
        room.Open();
        Ready.When(() => room.Looks > 1);
        room.WaitForOperator();
    }

    private sealed class ControlRoom
    {
        private readonly ManualResetEventSlim _quit = new();
        private int _looks;

        public int Looks => Volatile.Read(ref _looks);

        public void Open() => new Thread(Board) { Name = "board", IsBackground = true }.Start();

        public void WaitForOperator() => _quit.Wait();

        private void Board()
        {
            while (!_quit.Wait(TimeSpan.FromMilliseconds(200)))
            {
                Interlocked.Increment(ref _looks);
            }
        }
    }
}
