using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Tasks;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>The threads, by their address in the runtime and by the objects that their frames have.</summary>
internal sealed class ReachStacks
{
    private readonly Dictionary<ulong, ThreadStack> _byThread = [];
    private readonly Lazy<ILookup<ulong, ThreadStack>> _holding;

    public ReachStacks(RuntimeRoots roots)
    {
        foreach (ThreadStack stack in roots.Stacks)
        {
            _byThread.TryAdd(stack.Thread.Address, stack);
        }

        _holding = new(() => roots.Stacks.SelectMany(stack => stack.Roots.Select(root => (Root: root, Stack: stack))).ToLookup(pair => pair.Root, pair => pair.Stack));
    }

    /// <summary>Null for an object.</summary>
    public ThreadStack? ThreadAt(ulong address) => _byThread.GetValueOrDefault(address);

    public IEnumerable<ThreadStack> Holding(ulong address) => _holding.Value[address];
}
