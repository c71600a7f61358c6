namespace BusyDictionary;

/// <summary>A thread that does one thing again and again.</summary>
internal sealed class Worker
{
    private readonly Thread _thread;
    private volatile int _rounds;

    public Worker(string name, Action<int> work)
        => _thread = new Thread(() =>
        {
            for (int round = 0; ; round = (round + 1) & 0xFFFFF)
            {
                work(round);
                _rounds = Math.Max(_rounds, round);
            }
        })
        {
            Name = name,
            IsBackground = true,
        };

    public int Rounds => _rounds;

    public void Start() => _thread.Start();

    public void Join() => _thread.Join();
}
