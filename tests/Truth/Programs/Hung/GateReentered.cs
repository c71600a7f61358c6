namespace Truth.Hung;

/// <summary>A transfer enters the gate of its wallet, and the debit that it makes enters it again.</summary>
internal static class GateReentered
{
    public static async Task RunAsync()
    {
        Wallet wallet = new();
        Task transfer = wallet.TransferAsync(5);
        Ready.WhenStill(() => wallet.Gate.Waiting == 1);
        await transfer;
    }

    private sealed class Wallet
    {
        private int _balance = 100;

        public AsyncGate Gate { get; } = new();

        public async Task TransferAsync(int amount)
        {
            await Gate.EnterAsync();
            try
            {
                await DebitAsync(amount);
            }
            finally
            {
                Gate.Leave();
            }
        }

        private async Task DebitAsync(int amount)
        {
            await Gate.EnterAsync();
            _balance -= amount;
            Gate.Leave();
        }
    }
}
