namespace HangTriage.Traces.Timeline;

/// <summary>The processor samples of a thread, by stack.</summary>
internal sealed class SampleCounts
{
    /// <summary>Different stacks of one thread; the samples of others count as samples without a stack.</summary>
    private const int MostStacks = 50_000;

    private readonly Dictionary<StackRef, long> _stacks = [];

    public long Total { get; private set; }

    public IReadOnlyDictionary<StackRef, long> Stacks => _stacks;

    public void Count(uint count) => Total += count;

    public void Add(StackRef stack, uint count)
    {
        StackRef kept = _stacks.Count < MostStacks || _stacks.ContainsKey(stack) ? stack : default;
        _stacks[kept] = _stacks.GetValueOrDefault(kept) + count;
    }
}
