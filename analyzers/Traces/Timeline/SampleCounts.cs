using System.Runtime.InteropServices;

namespace HangTriage.Traces.Timeline;

/// <summary>The processor samples of a thread, by stack.</summary>
internal sealed class SampleCounts(StackTree tree) : IStackTaker
{
    /// <summary>Different stacks of one thread; the samples of others count as samples without a stack.</summary>
    private const int MostStacks = 50_000;

    private readonly Dictionary<StackRef, long> _stacks = [];
    private readonly Dictionary<ulong, long> _bare = [];

    public long Total { get; private set; }

    /// <summary>A sample without a stack is its instruction's.</summary>
    public IReadOnlyDictionary<StackRef, long> Stacks
    {
        get
        {
            foreach ((ulong ip, long count) in _bare)
            {
                Add(new StackRef(tree.Add([ip]), 0, 0), count);
            }

            _bare.Clear();
            return _stacks;
        }
    }

    public void Count(uint count) => Total += count;

    public void Take(StackRef stack, ulong ip, uint count)
    {
        if (stack.IsEmpty && (_bare.Count < MostStacks || _bare.ContainsKey(ip)))
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_bare, ip, out _) += count;
        }
        else
        {
            Add(stack, count);
        }
    }

    public void Add(StackRef stack, long count)
    {
        StackRef kept = _stacks.Count < MostStacks || _stacks.ContainsKey(stack) ? stack : default;
        CollectionsMarshal.GetValueRefOrAddDefault(_stacks, kept, out _) += count;
    }
}
