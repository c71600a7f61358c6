namespace Truth.Healthy;

/// <summary>Eight methods enter one gate in turn, and each stays in it for a while.</summary>
internal static class GateInTurns
{
    public static async Task RunAsync()
    {
        AsyncGate gate = new();
        Task[] all = [.. Enumerable.Range(0, 8).Select(_ => WorkAsync(gate))];
        Ready.When(() => gate.Waiting >= 6);
        await Task.WhenAll(all);
    }

    private static async Task WorkAsync(AsyncGate gate)
    {
        for (int round = 0; round < 10_000; round++)
        {
            await PayAsync(gate);
        }
    }

    private static async Task PayAsync(AsyncGate gate)
    {
        await gate.EnterAsync();
        try
        {
            await Task.Delay(200);
        }
        finally
        {
            gate.Leave();
        }
    }
}
