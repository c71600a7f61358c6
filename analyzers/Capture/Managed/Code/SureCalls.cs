using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Whether code comes to one of certain instructions on every way that it can take: it does not return, fail or go round before. A call of a
/// method for which that is so counts as one, unless the method is virtual. What a call throws is not looked at.
/// </summary>
internal sealed class SureCalls
{
    /// <summary>How many calls it follows, one in the other.</summary>
    public const int MostRounds = 4;

    private readonly Func<IlModule, int, IlInstruction, bool> _isOne;
    private readonly HashSet<(IlModule Module, int Method)> _sure = [];

    /// <param name="candidates">The methods that have such an instruction or lead to one.</param>
    /// <param name="isOne">Whether an instruction, of a module's method, is one.</param>
    public SureCalls(IReadOnlyCollection<(IlModule Module, int Method)> candidates, Func<IlModule, int, IlInstruction, bool> isOne)
    {
        _isOne = isOne;
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
    public bool? Comes(IlModule module, int method, int from)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        Dictionary<int, int> places = body.Select((instruction, index) => (instruction.Offset, index)).ToDictionary();
        if (!places.TryGetValue(from, out int start))
        {
            return false;
        }

        Way way = new(body.Count);
        way.Open.Push((start, false));
        while (way.Open.TryPop(out (int Index, bool IsLeft) at))
        {
            if (at.IsLeft)
            {
                way.Seen[at.Index] = Place.Left;
                continue;
            }

            if (at.Index >= body.Count || way.Seen[at.Index] == Place.OnWay)
            {
                return false;
            }

            if (way.Seen[at.Index] == Place.New
                && !IsOne(module, method, body[at.Index])
                && !Continues(body[at.Index], at.Index, places, way))
            {
                return false;
            }
        }

        return way.Returns ? null : true;
    }

    /// <summary>Pushes what comes next; false where the method can end there but by its return, or that is not known.</summary>
    private static bool Continues(IlInstruction instruction, int index, Dictionary<int, int> places, Way way)
    {
        way.Seen[index] = Place.OnWay;
        way.Open.Push((index, true));
        switch (instruction.Code)
        {
            case ILOpCode.Ret:
                way.Returns = true;
                return true;
            case ILOpCode.Endfinally:
                return true;
            case ILOpCode.Switch or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Jmp or ILOpCode.Endfilter:
                return false;
            default:
                break;
        }

        if (instruction.IsBranch)
        {
            if (!places.TryGetValue(instruction.Operand, out int target))
            {
                return false;
            }

            way.Open.Push((target, false));
        }

        if (!instruction.IsJump)
        {
            way.Open.Push((index + 1, false));
        }

        return true;
    }

    private bool IsOne(IlModule module, int method, IlInstruction instruction)
        => _isOne(module, method, instruction)
            || (instruction.Code is ILOpCode.Call or ILOpCode.Callvirt
                && module.Names.Member(instruction.Operand) is { IsOwn: true } called
                && !module.IsVirtual(called.Definition)
                && _sure.Contains((module, called.Definition)));

    private enum Place : byte
    {
        New,
        OnWay,
        Left,
    }

    private sealed class Way(int length)
    {
        public Place[] Seen { get; } = new Place[length];

        public Stack<(int Index, bool IsLeft)> Open { get; } = new();

        public bool Returns { get; set; }
    }
}
