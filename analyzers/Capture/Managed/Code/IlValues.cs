using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Finds the instruction that has left a value on the stack, by going back over what those before it push and pop.</summary>
internal sealed class IlValues
{
    private const int Most = 64;
    private const int MostForks = 6;

    private static readonly string[] s_loads =
        ["Ldarg", "Ldloc", "Ldc_", "Ldstr", "Ldnull", "Ldsfld", "Ldsflda", "Ldtoken", "Ldftn", "Sizeof"];

    private static readonly string[] s_changes =
    [
        "Ldfld", "Ldflda", "Castclass", "Isinst", "Unbox", "Box", "Conv_", "Ldlen", "Newarr", "Neg", "Not", "Ldind_", "Ldobj", "Ldvirtftn",
    ];

    private static readonly string[] s_joins =
        ["Add", "Sub", "Mul", "Div", "Rem", "And", "Or", "Xor", "Shl", "Shr", "Ceq", "Cgt", "Clt", "Ldelem"];

    private static readonly string[] s_takes = ["Stloc", "Starg", "Stsfld", "Pop", "Brtrue", "Brfalse", "Switch"];
    private static readonly string[] s_takesTwo = ["Stfld", "Stind_", "Stobj", "Beq", "Bne", "Bge", "Bgt", "Ble", "Blt"];

    private readonly IlModule _module;
    private readonly IReadOnlyList<IlInstruction> _body;
    private readonly ILookup<int, int> _branches;

    /// <param name="module">The module.</param>
    /// <param name="body">A method of it.</param>
    public IlValues(IlModule module, IReadOnlyList<IlInstruction> body)
    {
        _module = module;
        _body = body;
        _branches = Enumerable.Range(0, body.Count).Where(index => body[index].IsBranch).ToLookup(index => body[index].Operand);
    }

    /// <param name="before">The place of an instruction in the method.</param>
    /// <param name="wanted">Which value it finds on the stack: 1 for the last, 2 for the one below it.</param>
    /// <returns>The place of the instruction that left it there; null where there are several, and where it was not found out.</returns>
    public int? SourceOf(int before, int wanted) => SourcesOf(before, wanted) is [var one] ? one : null;

    /// <summary>The same, of several ways to come there; empty where one was not found out.</summary>
    public IReadOnlyList<int> SourcesOf(int before, int wanted)
    {
        HashSet<int> found = [];
        return wanted > 0 && Back(before, wanted, Most, MostForks, found) ? [.. found] : [];
    }

    private bool Back(int behind, int wanted, int steps, int forks, HashSet<int> found)
    {
        for (; behind > 0 && steps > 0; steps--)
        {
            int[] ways = Before(behind);
            if (ways.Length != 1)
            {
                return forks > 0 && ways.Length > 0 && Array.TrueForAll(ways, way => Over(way, wanted, steps - 1, forks - 1, found));
            }

            behind = ways[0];
            if (Step(behind, ref wanted) is not { } isSource)
            {
                return false;
            }

            if (isSource)
            {
                found.Add(behind);
                return true;
            }
        }

        return false;
    }

    private bool Over(int index, int wanted, int steps, int forks, HashSet<int> found)
    {
        if (Step(index, ref wanted) is not { } isSource)
        {
            return false;
        }

        if (isSource)
        {
            found.Add(index);
        }

        return isSource || Back(index, wanted, steps, forks, found);
    }

    // What runs before the instruction: the one above it, unless that leads elsewhere, and the branches to it.
    private int[] Before(int index)
    {
        IEnumerable<int> branches = _branches[_body[index].Offset].Where(branch => branch != index - 1);
        IlInstruction above = _body[index - 1];
        bool isThrough = !above.IsJump && above.Code is not (ILOpCode.Ret or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Endfinally);
        return isThrough || above.Operand == _body[index].Offset ? [.. branches.Prepend(index - 1)] : [.. branches];
    }

    // True where it left the value, null where what it does is not known.
    private bool? Step(int index, ref int wanted)
    {
        if (_body[index].Code == ILOpCode.Dup)
        {
            wanted = Math.Max(1, wanted - 1);
            return false;
        }

        if (EffectOf(_body[index]) is not { } effect)
        {
            return null;
        }

        wanted -= effect.Pushes;
        if (wanted == 0)
        {
            return true;
        }

        wanted += effect.Pops;
        return false;
    }

    private (int Pops, int Pushes)? EffectOf(IlInstruction instruction)
    {
        switch (instruction.Code)
        {
            case ILOpCode.Nop or ILOpCode.Constrained or ILOpCode.Volatile or ILOpCode.Readonly or ILOpCode.Unaligned or ILOpCode.Tail
                or ILOpCode.Br or ILOpCode.Br_s:
                return (0, 0);
            case ILOpCode.Call or ILOpCode.Callvirt:
                return _module.Names.ShapeOf(instruction.Operand) is { } called ? (called.Taken, called.HasResult ? 1 : 0) : null;
            case ILOpCode.Newobj:
                return _module.Names.ShapeOf(instruction.Operand) is { } made ? (made.Parameters.Count, 1) : null;
            default:
                string name = instruction.Code.ToString();
                return StartsWith(s_loads, name) ? (0, 1)
                    : StartsWith(s_changes, name) ? (1, 1)
                    : StartsWith(s_joins, name) ? (2, 1)
                    : StartsWith(s_takes, name) ? (1, 0)
                    : StartsWith(s_takesTwo, name) ? (2, 0)
                    : name.StartsWith("Stelem", StringComparison.Ordinal) ? (3, 0)
                    : null;
        }
    }

    private static bool StartsWith(string[] starts, string name)
        => Array.Exists(starts, start => name.StartsWith(start, StringComparison.Ordinal));
}
