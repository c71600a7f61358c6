using System.Reflection;

namespace Truth.Healthy;

/// <summary>
/// Who closes the accounts has the turn meanwhile. The ledger is audited by a proxy of a type that is made while the program runs: no file
/// has its instructions.
/// </summary>
internal static class TurnBesideProxy
{
    public static void Run()
    {
        Ledger ledger = new(DispatchProxy.Create<IAudit, Counter>());
        Thread closing = new(ledger.Close) { Name = "closing", IsBackground = true };
        Thread booking = new(() => ledger.Book(100)) { Name = "booking", IsBackground = true };
        closing.Start();
        booking.Start();
        Ready.WhenAtRest(() => ledger.IsClosing, closing, booking);
        booking.Join();
    }

    internal interface IAudit
    {
        void Note(int amount);
    }

    internal class Counter : DispatchProxy
    {
        private int _notes;

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
        {
            _notes++;
            return null;
        }
    }

    private sealed class Ledger(IAudit audit)
    {
        private const int Accounts = 1000;

        private readonly SemaphoreSlim _turn = new(1, 1);
        private volatile bool _isClosing;
        private int _sum;

        public bool IsClosing => _isClosing;

        public void Book(int amount)
        {
            SpinWait.SpinUntil(() => _isClosing);
            _turn.Wait();
            try
            {
                _sum += amount;
                audit.Note(amount);
            }
            finally
            {
                _turn.Release();
            }
        }

        public void Close()
        {
            _turn.Wait();
            try
            {
                for (int account = 0; account < Accounts; account++)
                {
                    audit.Note(account);
                    _isClosing = true;
                    Thread.Sleep(TimeSpan.FromSeconds(2));
                }

                Console.WriteLine(_sum);
            }
            finally
            {
                _turn.Release();
            }
        }
    }
}
