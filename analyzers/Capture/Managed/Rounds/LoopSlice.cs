using Iced.Intel;

namespace HangTriage.Capture.Managed.Rounds;

/// <summary>
/// Which of a loop's variables decide how it continues: what its branches ask, what its calls are handed and what it writes into objects, and
/// what these come from. All others only take note of what it does, as a count of its rounds or a sum.
/// </summary>
internal sealed class LoopSlice
{
    private const int MostVisits = 200_000;
    private const int Near = 4;
    private const int MostTurns = 16;

    private readonly MachineCode _code;
    private readonly MachineFrame _frame;
    private readonly MachineLoop _loop;
    private readonly IReadOnlyList<MachineStep> _steps;
    private readonly IReadOnlySet<long> _counter;
    private readonly HashSet<(int At, long Place)> _visited = [];

    /// <param name="code">The method.</param>
    /// <param name="steps">What its instructions do.</param>
    /// <param name="frame">Where its variables are.</param>
    /// <param name="loop">The loop.</param>
    /// <param name="counter">Words that count rounds for the runtime, and decide nothing.</param>
    public LoopSlice(MachineCode code, IReadOnlyList<MachineStep> steps, MachineFrame frame, MachineLoop loop, IReadOnlySet<long> counter)
    {
        _code = code;
        _steps = steps;
        _frame = frame;
        _loop = loop;
        _counter = counter;
        IsWhole = !loop.Members
            .Any(index => steps[index].IsIndexed || code.Code[index].FlowControl is FlowControl.IndirectBranch or FlowControl.Interrupt)
                && Walk();
    }

    /// <summary>All of it is understood.</summary>
    public bool IsWhole { get; }

    /// <summary>What decides from that instruction on.</summary>
    public IEnumerable<long> NeededAt(int index) => _visited.Where(visit => visit.At == index).Select(visit => visit.Place);

    /// <summary>It decides from that instruction on.</summary>
    public bool IsNeededAt(long place, int index) => _visited.Contains((index, place));

    /// <summary>
    /// The loop, counted from where least is handed from one round to the next, and all of that in places that last: words of the
    /// stack, and registers that calls keep.
    /// </summary>
    public MachineLoop Turned()
    {
        ILookup<int, long> needed = _visited.ToLookup(visit => visit.At, visit => visit.Place);
        return _loop.Members.Where(member => !_loop.Within.Contains(member) && needed[member].All(IsLasting))
            .OrderBy(member => needed[member].Count()).ThenBy(member => member)
            .Take(MostTurns)
            .Select(member => _loop.From(_code, member))
            .FirstOrDefault(turned => turned is not null) ?? _loop;
    }

    /// <summary>Words that it writes in each round, outside of loops within it, and that decide nothing.</summary>
    public IReadOnlyList<long> Counts(IReadOnlySet<long> taken)
    {
        HashSet<long> deciding = [.. _visited.Select(visit => visit.Place)];
        HashSet<long> written = [];
        HashSet<long> often = [];
        foreach (int index in _loop.Members)
        {
            (_loop.Within.Contains(index) ? often : written).UnionWith(_steps[index].IsCall ? [] : _steps[index].Writes.Where(IsLasting));
        }

        return [.. written.Except(often).Where(place
            => !deciding.Contains(place) && (!taken.Contains(place) || _counter.Contains(place))).Order()];
    }

    /// <summary>The words of the stack that others may have the address of: structs, and what is handed out by reference.</summary>
    public IReadOnlySet<long> Taken(ulong end)
    {
        ulong[] starts = [.. Enumerable.Range(0, _steps.Count)
            .Where(index => _steps[index].Takes is not null && !ClearsFrame(index))
            .Select(index => _steps[index].Takes!.Value).Distinct().Order()];
        HashSet<long> deciding = [.. _visited.Select(visit => visit.Place)];
        HashSet<long> noted = [.. _loop.Members
            .SelectMany(index => _steps[index].Reads.Where(MachineFrame.IsSlot)).Where(place => !deciding.Contains(place))];
        HashSet<long> taken = [];
        for (int number = 0; number < starts.Length; number++)
        {
            ulong limit = Math.Min(number + 1 < starts.Length ? starts[number + 1] : ulong.MaxValue, end);
            taken.UnionWith(MachineFrame.Words(starts[number], (int)Math.Max((long)(limit - starts[number]), 1))
                .TakeWhile((word, index) => index == 0 || !noted.Contains(word)).Where(word => !_counter.Contains(word)));
        }

        return taken;
    }

    // "lea rdi, [frame]", "rep stosd" at the start of a method.
    private bool ClearsFrame(int index)
        => _code.Code.Skip(index + 1).Take(Near).Any(next => next.Mnemonic is Mnemonic.Stosd or Mnemonic.Stosq);

    // Nothing follows it.
    private bool Throws(int index) => index + 1 < _code.Code.Count && _code.Code[index + 1].Mnemonic == Mnemonic.Int3;

    private bool IsLasting(long place) => MachineFrame.IsSlot(place) || (_frame.IsKept(place) && place < MachineFrame.Vector);

    private bool Walk()
    {
        // What is handed to a call was put there since the last, which may have used the register for what it likes.
        HashSet<long> put = [.. _loop.Members.Where(index => !_steps[index].IsCall).SelectMany(index => _steps[index].Writes)];
        long[] handed = [.. _frame.Handed.Where(put.Contains)];
        Stack<(int At, long Place)> open = new();
        foreach (int index in _loop.Members)
        {
            if (_steps[index].IsCall && !Throws(index))
            {
                Open(open, index, handed);
            }

            if (_steps[index].IsCall || _steps[index].StoresElsewhere || _code.Code[index].FlowControl == FlowControl.ConditionalBranch)
            {
                Open(open, index, _steps[index].Reads);
            }
        }

        while (open.TryPop(out (int At, long Place) next))
        {
            foreach (int index in _code.Before(next.At).Where(_loop.Members.Contains))
            {
                MachineStep step = _steps[index];
                if (!step.Writes.Contains(next.Place))
                {
                    Open(open, index, [next.Place]);
                    continue;
                }

                // What a call answers comes from what it is handed, which is asked for anyway.
                if (!step.IsCall)
                {
                    Open(open, index, step.IsSure ? step.Reads : step.Reads.Append(next.Place));
                }
            }

            if (_visited.Count > MostVisits)
            {
                return false;
            }
        }

        return true;
    }

    private void Open(Stack<(int, long)> open, int at, IEnumerable<long> places)
    {
        foreach (long place in places)
        {
            if (!_counter.Contains(place) && _visited.Add((at, place)))
            {
                open.Push((at, place));
            }
        }
    }
}
