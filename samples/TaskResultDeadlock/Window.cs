namespace TaskResultDeadlock;

/// <summary>What hangs: a handler that blocks on an async method which was started on its own thread.</summary>
internal sealed class Window
{
    private volatile bool _asks;

    /// <summary>How long the work takes.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The handler is about to block.</summary>
    public bool Asks => _asks;

    public void Button_Click(object? sender)
    {
        Task<int> work = WorkAsync(Duration);
        _asks = true;
        Console.WriteLine($"never printed: {work.Result}");
    }

    private static async Task<int> WorkAsync(TimeSpan duration)
    {
        await Task.Delay(duration);
        return 1;
    }
}
