namespace TaskResultSlow;

/// <summary>What hangs for an hour: a handler that blocks on work which needs nothing of its thread.</summary>
internal sealed class Window
{
    private volatile bool _asks;

    /// <summary>The handler is about to block.</summary>
    public bool Asks => _asks;

    public void Button_Click(object? sender)
    {
        Task<int> work = Task.Run(async () =>
        {
            await Task.Delay(TimeSpan.FromHours(1));
            return 1;
        });
        _asks = true;
        Console.WriteLine($"printed in an hour: {work.Result}");
    }
}
