namespace HangTriage.Traces.Timeline;

/// <summary>How long the threads of one process waited for those of another.</summary>
internal sealed class WaitLedger
{
    /// <summary>Pairs of processes; a machine with hundreds of processes has some thousands.</summary>
    private const int MostPairs = 20_000;

    private readonly Dictionary<(ProcessLine Waiter, ProcessLine By), IntervalUnion> _pairs = [];

    public IReadOnlyDictionary<(ProcessLine Waiter, ProcessLine By), IntervalUnion> Pairs => _pairs;

    public void Add(ThreadLine waiter, ThreadLine by, long from, long to)
    {
        if (waiter.Process is not { } process || by.Process is not { } other || ReferenceEquals(process, other))
        {
            return;
        }

        if (!_pairs.TryGetValue((process, other), out IntervalUnion? waits))
        {
            if (_pairs.Count >= MostPairs)
            {
                return;
            }

            _pairs.Add((process, other), waits = new IntervalUnion());
        }

        waits.Add(from, to);
    }
}
