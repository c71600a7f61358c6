using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Whether code comes to one of certain instructions on every way that it can take: before, it does not return, fail, or go round without
/// an end in sight, or wait for what another thread gives. A call of a method for which that is so counts as one, unless the method is
/// virtual. What calls throw is not looked at. Who waits for a condition where he continues is asked for what he does when it holds.
/// </summary>
internal sealed class SureCalls
{
    /// <summary>How many calls it follows, one in the other.</summary>
    public const int MostRounds = 4;

    // How many finally blocks, one in the other.
    private const int MostBlocks = 4;

    private readonly Func<IlModule, int, IlInstruction, bool> _isOne;
    private readonly Func<IlMember, bool> _waits;
    private readonly HashSet<(IlModule Module, int Method)> _sure = [];

    /// <param name="candidates">The methods that have such an instruction or lead to one.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is one.</param>
    /// <param name="waits">Whether a method that is called waits for what another thread gives.</param>
    public SureCalls(
        IReadOnlyCollection<(IlModule Module, int Method)> candidates, Func<IlModule, int, IlInstruction, bool> isOne,
        Func<IlMember, bool> waits)
    {
        _isOne = isOne;
        _waits = waits;
        for (int round = 0; round < MostRounds; round++)
        {
            int before = _sure.Count;
            _sure.UnionWith(candidates
                .Where(candidate => !_sure.Contains(candidate) && Comes(candidate.Module, candidate.Method, 0) == true)
                .ToArray());
            if (_sure.Count == before)
            {
                break;
            }
        }
    }

    /// <summary>The method does, from its beginning.</summary>
    public bool Comes(IlModule module, int method) => _sure.Contains((module, method));

    /// <param name="module">The module.</param>
    /// <param name="method">Its method.</param>
    /// <param name="from">The place in the method's instructions from where it continues.</param>
    /// <returns>Null where it does not, but can do nothing worse than return.</returns>
    public bool? Comes(IlModule module, int method, int from) => Comes(new IlBody(module, method), from, MostBlocks);

    private bool? Comes(IlBody body, int from, int blocks)
    {
        if (body.PlaceOf(from) is not { } start)
        {
            return false;
        }

        Way way = new(body.Instructions.Count, blocks);
        way.Open.Push((start, false));
        while (way.Open.TryPop(out (int Index, bool IsLeft) at))
        {
            if (at.IsLeft)
            {
                way.Leave(at.Index);
                continue;
            }

            if (way.IsOn(at.Index) && !way.GoesRoundByCount(body, at.Index))
            {
                return false;
            }

            if (ConditionWaits.IsLeft(body, from, at.Index))
            {
                continue;
            }

            if (way.IsNew(at.Index) && !IsOne(body, body.Instructions[at.Index])
                && (Waits(body, body.Instructions[at.Index]) || !Continues(body, at.Index, way)))
            {
                return false;
            }
        }

        return way.Returns ? null : true;
    }

    /// <summary>Pushes what comes next; false where the method can end there but by its return, or that is not known.</summary>
    private bool Continues(IlBody body, int index, Way way)
    {
        IlInstruction instruction = body.Instructions[index];
        way.Enter(index);
        switch (instruction.Code)
        {
            case ILOpCode.Ret or ILOpCode.Endfinally:
                way.Returns = true;
                return true;
            case ILOpCode.Switch or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Jmp or ILOpCode.Endfilter:
                return false;
            case ILOpCode.Leave or ILOpCode.Leave_s when body.Suspends(index):
                way.Returns = true;
                return true;
            case ILOpCode.Leave or ILOpCode.Leave_s when InFinally(body, instruction, way.Blocks) is { } known:
                return known;
            default:
                break;
        }

        foreach (int next in NextOf(body, index))
        {
            if (body.PlaceOf(next) is not { } place)
            {
                return false;
            }

            way.Open.Push((place, false));
        }

        return true;
    }

    private IReadOnlyList<int> NextOf(IlBody body, int index)
        => body.AsksWhetherItSuspends(index) ? [body.Instructions[index].End]
            : PresenceTests.WayOf(body, index, call => _isOne(body.Module, body.Method, call)) is { } way ? [way]
            : IlBody.After(body.Instructions[index]);

    /// <summary>The finally blocks between a protected block and where it is left for, from the innermost, do; null as above.</summary>
    public bool? InFinally(IlBody body, IlInstruction leave) => InFinally(body, leave, MostBlocks);

    private bool? InFinally(IlBody body, IlInstruction leave, int blocks)
    {
        foreach (IlClause clause in body.LeftBy(leave))
        {
            if (blocks == 0)
            {
                return false;
            }

            if (Comes(body, clause.Start, blocks - 1) is { } known)
            {
                return known;
            }
        }

        return null;
    }

    /// <summary>The instruction waits for what another thread gives.</summary>
    public bool Waits(IlBody body, IlInstruction instruction)
        => instruction.Code is ILOpCode.Call or ILOpCode.Callvirt
            && body.Module.Names.Member(instruction.Operand) is { IsOwn: false } called && _waits(called);

    /// <summary>It is one of those, or calls a method that surely comes to one.</summary>
    public bool IsOne(IlBody body, IlInstruction instruction)
        => _isOne(body.Module, body.Method, instruction)
            || (instruction.Code is ILOpCode.Call or ILOpCode.Callvirt
                && body.Module.Names.Member(instruction.Operand) is { IsOwn: true } called
                && !body.Module.IsVirtual(called.Definition)
                && _sure.Contains((body.Module, called.Definition)));

    /// <summary>A walk of one method, depth first.</summary>
    private sealed class Way(int length, int blocks)
    {
        private const int Left = -1;

        // The number of each instruction that the walk is at or behind; zero for those that it has not come to.
        private readonly int[] _numbers = new int[length];
        private int _last;

        public Stack<(int Index, bool IsLeft)> Open { get; } = new();

        public int Blocks => blocks;

        public bool Returns { get; set; }

        public bool IsNew(int index) => _numbers[index] == 0;

        public bool IsOn(int index) => _numbers[index] > 0;

        public void Enter(int index)
        {
            _numbers[index] = ++_last;
            Open.Push((index, true));
        }

        public void Leave(int index)
        {
            _numbers[index] = Left;
            _last--;
        }

        /// <summary>
        /// The round that leads back to this instruction, which the walk is behind, ends by itself: a loop around the instruction does, not
        /// one that stands in the round.
        /// </summary>
        public bool GoesRoundByCount(IlBody body, int index)
        {
            for (int branch = 0; branch < length; branch++)
            {
                if (_numbers[branch] > _numbers[index] && body.Instructions[branch].Operand <= body.Instructions[index].Offset
                    && IlBoundedLoops.GoesRoundByCount(body, branch))
                {
                    return true;
                }
            }

            return false;
        }
    }
}
