using System.Runtime.InteropServices;

namespace HangTriage.Traces.Timeline;

/// <summary>The processor samples of a thread, by stack.</summary>
internal sealed class SampleCounts(StackTree tree) : IStackTaker
{
    /// <summary>Different stacks of one thread; the samples of others count as samples without a stack.</summary>
    private const int MostStacks = 50_000;

    private readonly Dictionary<StackRef, long> _stacks = [];

    public long Total { get; private set; }

    public IReadOnlyDictionary<StackRef, long> Stacks => _stacks;

    public void Count(uint count) => Total += count;

    /// <summary>A sample without a stack is its instruction's.</summary>
    public void Take(StackRef stack, ulong ip, uint count) => Add(stack.IsEmpty ? new StackRef(tree.Add([ip]), 0, 0) : stack, count);

    public void Add(StackRef stack, uint count)
    {
        StackRef kept = _stacks.Count < MostStacks || _stacks.ContainsKey(stack) ? stack : default;
        CollectionsMarshal.GetValueRefOrAddDefault(_stacks, kept, out _) += count;
    }
}
