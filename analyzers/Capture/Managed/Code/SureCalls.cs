using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Whether code comes to one of certain instructions on every way that it can take: it does not return, fail or go round before. A call of a
/// method for which that is so counts as one, unless the method is virtual. What a call throws is not looked at.
/// </summary>
internal sealed class SureCalls
{
    private const int MostRounds = 4;

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
            _sure.UnionWith(candidates.Where(candidate => !_sure.Contains(candidate) && Comes(candidate.Module, candidate.Method, 0) == true).ToArray());
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

        // 1: on the way that is followed; 2: all that follows it was seen.
        byte[] seen = new byte[body.Count];
        bool returns = false;
        Stack<(int Index, bool IsLeft)> open = new([(start, false)]);
        while (open.TryPop(out (int Index, bool IsLeft) at))
        {
            if (at.IsLeft)
            {
                seen[at.Index] = 2;
                continue;
            }

            if (at.Index >= body.Count || seen[at.Index] == 1)
            {
                return false;
            }

            if (seen[at.Index] == 2 || IsOne(module, method, body[at.Index]))
            {
                continue;
            }

            IlInstruction instruction = body[at.Index];
            seen[at.Index] = 1;
            open.Push((at.Index, true));
            switch (instruction.Code)
            {
                case ILOpCode.Ret:
                    returns = true;
                    continue;
                case ILOpCode.Switch or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Jmp or ILOpCode.Endfilter:
                    return false;
                case ILOpCode.Endfinally:
                    continue;
                default:
                    break;
            }

            if (instruction.IsBranch)
            {
                if (!places.TryGetValue(instruction.Operand, out int target))
                {
                    return false;
                }

                open.Push((target, false));
            }

            if (!instruction.IsJump)
            {
                open.Push((at.Index + 1, false));
            }
        }

        return returns ? null : true;
    }

    private bool IsOne(IlModule module, int method, IlInstruction instruction)
        => _isOne(module, method, instruction)
            || (instruction.Code is ILOpCode.Call or ILOpCode.Callvirt
                && module.Names.Member(instruction.Operand) is { IsOwn: true } called
                && !module.IsVirtual(called.Definition)
                && _sure.Contains((module, called.Definition)));
}
