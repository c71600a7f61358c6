using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>The boxes of async methods that have begun and not ended, with what stands in state machines of their own.</summary>
internal sealed class FlowBoxes
{
    private const int MostSteps = 32;
    private const int MostHops = 64;

    private readonly TargetWords _words;
    private readonly OperationWaiters _waiters;
    private readonly List<FlowBox> _boxes;
    private readonly Dictionary<ulong, int> _byAddress;
    private readonly Dictionary<ulong, int> _byMachine = [];
    private readonly Lazy<Dictionary<ulong, FlowBox>> _byContinuation;
    private readonly Dictionary<ClrType, FlowMethod?> _methods = [];

    /// <param name="found">What the walk found.</param>
    /// <param name="words">Reads the target.</param>
    /// <param name="waiters">The threads that block on tasks of operations.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    public FlowBoxes(IReadOnlyList<FlowBox> found, TargetWords words, OperationWaiters waiters, CaptureContext context)
    {
        _words = words;
        _waiters = waiters;
        _boxes = new List<FlowBox>(found.Count);
        _byAddress = new Dictionary<ulong, int>(found.Count);
        _byContinuation = new(() => _boxes.Where(box => box.Continuation != 0).GroupBy(box => box.Continuation)
            .ToDictionary(boxes => boxes.Key, boxes => boxes.First()));
        foreach (FlowBox box in found)
        {
            if (_boxes.Count % 1_024 == 0)
            {
                context.Step();
            }

            FlowBox? whole = box.Method is null ? WithMachine(box) : box;
            if (whole is { } kept && !IsAwaitedOperation(kept) && _byAddress.TryAdd(kept.Address, _boxes.Count))
            {
                if (kept.Machine != 0)
                {
                    _byMachine.TryAdd(kept.Machine, _boxes.Count);
                }

                _boxes.Add(kept);
            }
        }
    }

    public IReadOnlyList<FlowBox> All => _boxes;

    /// <summary>How many state machines could not be read.</summary>
    public int Unreadable { get; private set; }

    /// <summary>Null for the box of a method that has ended, and for another object.</summary>
    public FlowBox? Find(ulong box) => _byAddress.TryGetValue(box, out int index) ? _boxes[index] : null;

    /// <summary>
    /// The suspended async method itself, or the innermost of those that it awaits; null for other objects, and for a chain without end.
    /// </summary>
    public FlowBox? FindInnermost(ulong box)
    {
        FlowBox? flow = Find(box);
        for (int hop = 0; hop < MostHops && flow is { State: >= 0 } at; hop++)
        {
            if (Find(at.Awaited) is not { } inner)
            {
                return at;
            }

            flow = inner;
        }

        return null;
    }

    /// <summary>By the state machine itself, which async iterators are awaited by.</summary>
    public FlowBox? FindByMachine(ulong machine) => _byMachine.TryGetValue(machine, out int index) ? _boxes[index] : null;

    /// <summary>The method that tells this object, and no other, when it ends.</summary>
    public FlowBox? FindBefore(ulong continuation) => _byContinuation.Value.TryGetValue(continuation, out FlowBox box) ? box : null;

    /// <summary>The method, the one that it awaits, the one that this awaits, and so on; at most some.</summary>
    public IEnumerable<FlowBox> Down(FlowBox flow)
    {
        FlowBox? next = flow;
        for (int step = 0; next is { } box && step < MostSteps; step++)
        {
            yield return box;
            next = box.Awaited == 0 ? null : Find(box.Awaited);
        }
    }

    // What async methods await is the operation itself: a task for it counts where a thread is told of its end, or is about to ask for it.
    private bool IsAwaitedOperation(FlowBox box)
        => box.Method is { IsOperation: true } && !TaskBlocker.IsName(_words.TypeOf(box.Continuation)?.Name)
            && !(box.Continuation == 0 && _waiters.IsAwaited(box));

    private FlowBox? WithMachine(FlowBox box)
    {
        if (_words.TypeOf(box.Machine) is not { } type || MethodOf(type) is not { } method || _words.Number(box.Machine, method.State) is not { } state)
        {
            Unreadable++;
            return null;
        }

        if (state < -1)
        {
            return null;
        }

        ulong awaited = 0;
        for (int index = 0; index < method.Awaiters.Count && awaited == 0; index++)
        {
            awaited = _words.Reference(box.Machine, method.Awaiters[index]);
        }

        return box with { Method = method, State = state, Awaited = awaited };
    }

    private FlowMethod? MethodOf(ClrType machine)
    {
        if (!_methods.TryGetValue(machine, out FlowMethod? method))
        {
            method = FlowMethod.Of(machine);
            _methods.Add(machine, method);
        }

        return method;
    }
}
