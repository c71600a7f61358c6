namespace Healthy;

/// <summary>Two threads that take and release one lock, again and again: each does progress.</summary>
internal sealed class Relay
{
    private readonly Baton _baton = new();
    private int _rounds;

    public bool HasGoneRound => Volatile.Read(ref _rounds) > 20;

    public void Start()
    {
        for (int i = 1; i <= 2; i++)
        {
            new Thread(Run) { Name = $"relay-{i}", IsBackground = true }.Start();
        }
    }

    private void Run()
    {
        while (true)
        {
            lock (_baton)
            {
                _rounds++;
                Thread.Sleep(1);
            }

            Thread.Yield();
        }
    }
}
