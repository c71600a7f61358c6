namespace HangTriage.DotnetDump;

/// <summary>Stops the command: after its time, since debuggers never tell it to stop, or when dotnet-dump says so (Ctrl+C).</summary>
internal sealed class Budget : IDisposable
{
    private readonly CancellationTokenSource _time;
    private readonly CancellationTokenSource _either;
    private readonly int _seconds;

    private Budget(int seconds, CancellationToken user)
    {
        _seconds = seconds;
        _time = seconds > 0 ? new CancellationTokenSource(TimeSpan.FromSeconds(seconds)) : new CancellationTokenSource();
        _either = CancellationTokenSource.CreateLinkedTokenSource(user, _time.Token);
    }

    public CancellationToken Token => _either.Token;

    public string WhyStopped => _time.IsCancellationRequested
        ? $"{_seconds} seconds were not enough (--timeout SECONDS gives more)"
        : "cancelled";

    /// <param name="seconds">0 for no limit.</param>
    /// <param name="user">The host's.</param>
    public static Budget Of(int seconds, CancellationToken user)
        => seconds is < 0 or > 1_000_000
            ? throw new Microsoft.Diagnostics.DebugServices.DiagnosticsException("triage: --timeout is a number of seconds, 0 for no limit")
            : new Budget(seconds, user);

    public void Dispose()
    {
        _either.Dispose();
        _time.Dispose();
    }
}
