using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Reads the instructions of a loop, and of the small methods of the same module that it asks.</summary>
internal sealed class LoopScan(IlModule module)
{
    private const int MostInstructionsOfAsked = 48;
    private const int MostDepth = 3;
    private const int NearCall = 3;
    private const int MostOfValue = 8;

    private const string OfProperty = ">k__BackingField";

    private readonly LoopContent _content = new();
    private readonly HashSet<int> _asked = [];
    private readonly HashSet<IlMember> _stored = [];

    /// <summary>Who leaves a protected block for a place behind the loop ends it.</summary>
    public bool LeavesForGood { get; init; }

    /// <summary>What the loop of these bounds does.</summary>
    public LoopContent Read(IReadOnlyList<IlInstruction> body, (int Start, int End) loop)
    {
        IlInstruction[] own = IlLoops.In(body, loop);
        Scan(own, MostDepth);
        _content.Computes |= IlCarried.Any(own);
        _content.Traits |= own.Any(instruction => Leaves(instruction, loop)) ? PollTraits.HasExit : PollTraits.None;
        return Finish();
    }

    /// <summary>What a condition does that another method's loop asks.</summary>
    public LoopContent ReadCondition(int method)
    {
        Scan(module.Body(method), MostDepth);
        _content.Traits |= PollTraits.HasExit;
        _content.Pauses = true;
        return Finish();
    }

    private LoopContent Finish()
    {
        // What the loop changes itself it does not wait for.
        _content.Remove(_stored);
        _content.Traits |= _content is { Counts: true, Compares: true } ? PollTraits.HasLimit : PollTraits.None;
        return _content;
    }

    // A branch out of it, or a last branch back that need not be taken. An await leaves the method without a condition.
    private bool Leaves(IlInstruction instruction, (int Start, int End) loop)
        => instruction.Code == ILOpCode.Ret
            || (LeavesForGood && instruction.Code is (ILOpCode.Leave or ILOpCode.Leave_s) && IlExits.IsOut(instruction, loop))
            || IlExits.IsConditional(instruction, loop);

    private void Scan(IReadOnlyList<IlInstruction> code, int depth)
    {
        _stored.UnionWith(code.Where((instruction, index) => instruction.Stores || IsWritten(code, index))
            .Select(instruction => module.Names.Member(instruction.Operand)).OfType<IlMember>());
        for (int index = 0; index < code.Count; index++)
        {
            IlInstruction instruction = code[index];
            if (instruction.ReadsField && !IsCounted(code, index))
            {
                AddField(instruction.Operand);
            }
            else if (IlUpdates.IsUpdate(module, code, index))
            {
                _content.Computes = true;
            }
            else if (instruction.IsCall)
            {
                AddCall(instruction, depth);
            }

            _content.Counts |= (instruction.Code is ILOpCode.Add or ILOpCode.Sub or ILOpCode.Add_ovf or ILOpCode.Sub_ovf) && IsStored(code, index) && !IsOnlyKept(code, index);
            _content.Compares |= Compares(instruction.Code);
        }
    }

    // What a call is handed, or a comparison, counts nothing.
    private static bool IsStored(IReadOnlyList<IlInstruction> code, int index)
        => code.Skip(index + 1).TakeWhile(next => next.Code is ILOpCode.Dup or ILOpCode.Conv_i8 or ILOpCode.Conv_i4 || Keeps(next)).Any(Keeps);

    private static bool Keeps(IlInstruction instruction) => instruction.Stores || instruction.WritesVariable;

    // A number for others to see: it goes into a field that the loop reads for nothing else.
    private static bool IsOnlyKept(IReadOnlyList<IlInstruction> code, int index)
        => index + 1 < code.Count
            && code[index + 1] is { Code: ILOpCode.Stfld or ILOpCode.Stsfld, Operand: var field }
            && code.Count(instruction => instruction.ReadsField && instruction.Operand == field) <= 1;

    private static bool Compares(ILOpCode code)
        => code is ILOpCode.Blt or ILOpCode.Blt_s or ILOpCode.Ble or ILOpCode.Ble_s or ILOpCode.Bgt or ILOpCode.Bgt_s or ILOpCode.Bge or ILOpCode.Bge_s
            or ILOpCode.Clt or ILOpCode.Cgt;

    // Where the field is, handed to Volatile.Write with what it is to be.
    private bool IsWritten(IReadOnlyList<IlInstruction> code, int index)
        => code[index].Code is ILOpCode.Ldflda or ILOpCode.Ldsflda
            && code.Skip(index + 1).Take(MostOfValue)
                .TakeWhile(next => !next.IsBranch)
                .Any(next => next.IsCall && module.Names.Member(next.Operand)?.FullName == "System.Threading.Volatile.Write");

    // Where a number is, handed to Interlocked.Increment.
    private bool IsCounted(IReadOnlyList<IlInstruction> code, int index)
        => code[index].Code is ILOpCode.Ldflda or ILOpCode.Ldsflda
            && code.Skip(index + 1).Take(NearCall).FirstOrDefault(instruction => instruction.IsCall) is { Operand: not 0 } call
            && PollCalls.Find(module.Names.Member(call.Operand)?.FullName) == PollCall.Counts;

    private void AddField(int token)
    {
        if (module.Names.Member(token) is { } field && !IsMade(field.Name))
        {
            _content.Add(field);
        }
    }

    // What the compiler makes for awaits, iterators and their variables.
    private static bool IsMade(string field) => field.StartsWith('<') && !field.EndsWith(OfProperty, StringComparison.Ordinal);

    private void AddCall(IlInstruction call, int depth)
    {
        if (module.Names.Member(call.Operand) is not { } method)
        {
            _content.AddCall("?");
            return;
        }

        switch (PollCalls.Find(method.FullName))
        {
            case PollCall.Pauses:
                _content.Pauses = true;
                break;
            case PollCall.Takes:
                _content.Traits |= PollTraits.TakesLock;
                break;
            case PollCall.GivesBack:
                _content.Traits |= PollTraits.GivesBack;
                break;
            case PollCall.Clock:
                _content.Traits |= PollTraits.HasLimit;
                break;
            case PollCall.Token:
                _content.Traits |= PollTraits.HasToken;
                break;
            case null:
                Ask(method, depth);
                break;
        }
    }

    // A short method of the module that nobody overrides is read as if its instructions stood in the loop.
    private void Ask(IlMember method, int depth)
    {
        // To make an exception asks nobody.
        if (method is { Name: ".ctor", Type: { } type } && type.EndsWith("Exception", StringComparison.Ordinal))
        {
            return;
        }

        IReadOnlyList<IlInstruction> body = method.IsOwn && depth > 0 && !module.IsVirtual(method.Definition) ? module.Body(method.Definition) : [];
        if (body.Count is 0 or > MostInstructionsOfAsked || method.Name == ".ctor")
        {
            _content.AddCall(method.FullName);
        }
        else if (_asked.Add(method.Definition))
        {
            Scan(body, depth - 1);
        }
    }
}
