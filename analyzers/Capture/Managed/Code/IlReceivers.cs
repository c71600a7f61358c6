using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Finds the field whose object a call is made on, by going back over what the instructions before it push and pop.</summary>
internal static class IlReceivers
{
    private const int Most = 64;
    private const int Deepest = 4;
    private const string Getter = "get_";
    private const string Channels = "System.Threading.Channels.Channel";

    // A channel's ends belong to the channel.
    private static readonly string[] s_ends = ["get_Writer", "get_Reader"];

    private static readonly string[] s_loads = ["Ldarg", "Ldloc", "Ldc_", "Ldstr", "Ldnull", "Ldsfld", "Ldtoken", "Ldftn", "Sizeof"];
    private static readonly string[] s_changes =
        ["Ldfld", "Ldflda", "Castclass", "Isinst", "Unbox", "Box", "Conv_", "Ldlen", "Newarr", "Neg", "Not", "Ldind_", "Ldobj"];

    private static readonly string[] s_joins =
        ["Add", "Sub", "Mul", "Div", "Rem", "And", "Or", "Xor", "Shl", "Shr", "Ceq", "Cgt", "Clt", "Ldelem"];

    /// <param name="module">The module.</param>
    /// <param name="body">The method that makes the call.</param>
    /// <param name="call">The place of the call in it: of a static one the first argument counts.</param>
    /// <returns>The full name of the field; null for a variable, for what a method returns, and where it was not found out.</returns>
    public static string? FieldOf(IlModule module, IReadOnlyList<IlInstruction> body, int call) => FieldOf(module, body, call, Deepest);

    private static string? FieldOf(IlModule module, IReadOnlyList<IlInstruction> body, int call, int depth)
    {
        int wanted = depth == 0 ? 0 : module.Names.ShapeOf(body[call].Operand)?.Taken ?? 0;
        for (int index = call - 1; wanted > 0 && index >= 0 && call - index <= Most; index--)
        {
            if (EffectOf(module, body[index]) is not { } effect)
            {
                return null;
            }

            wanted -= effect.Pushes;
            if (wanted == 0)
            {
                return Source(module, body, index, depth);
            }

            wanted += effect.Pops;
        }

        return null;
    }

    private static string? Source(IlModule module, IReadOnlyList<IlInstruction> body, int at, int depth)
    {
        if (body[at].Code is ILOpCode.Ldfld or ILOpCode.Ldsfld)
        {
            return module.Names.Member(body[at].Operand)?.FullName;
        }

        return body[at].Code is not (ILOpCode.Call or ILOpCode.Callvirt) || module.Names.Member(body[at].Operand) is not { } called ? null
            : IsEnd(called) ? FieldOf(module, body, at, depth - 1)
            : called.IsOwn && called.Name.StartsWith(Getter, StringComparison.Ordinal) ? Backing(module, called.Definition)
            : null;
    }

    private static bool IsEnd(IlMember called)
        => called.Type.StartsWith(Channels, StringComparison.Ordinal) && Array.IndexOf(s_ends, called.Name) >= 0;

    // A property that hands out its field, or an end of the channel in it.
    private static string? Backing(IlModule module, int getter)
        => module.Body(getter).Where(instruction => instruction.Code is not (ILOpCode.Nop or ILOpCode.Ldarg_0)).ToArray()
            is [{ Code: ILOpCode.Ldfld or ILOpCode.Ldsfld } load, .. IlInstruction[] end, { Code: ILOpCode.Ret }]
            && Array.TrueForAll(end, call => module.Names.Member(call.Operand) is { } called && IsEnd(called))
                ? module.Names.Member(load.Operand)?.FullName
                : null;

    private static (int Pops, int Pushes)? EffectOf(IlModule module, IlInstruction instruction)
    {
        switch (instruction.Code)
        {
            case ILOpCode.Nop or ILOpCode.Constrained or ILOpCode.Volatile or ILOpCode.Readonly or ILOpCode.Unaligned or ILOpCode.Tail:
                return (0, 0);
            case ILOpCode.Call or ILOpCode.Callvirt:
                return module.Names.ShapeOf(instruction.Operand) is { } called ? (called.Taken, called.HasResult ? 1 : 0) : null;
            case ILOpCode.Newobj:
                return module.Names.ShapeOf(instruction.Operand) is { } made ? (made.Parameters.Count, 1) : null;
            default:
                string name = instruction.Code.ToString();
                return StartsWith(s_loads, name) ? (0, 1)
                    : StartsWith(s_changes, name) ? (1, 1)
                    : StartsWith(s_joins, name) ? (2, 1)
                    : null;
        }
    }

    private static bool StartsWith(string[] starts, string name) => Array.Exists(starts, start => name.StartsWith(start, StringComparison.Ordinal));
}
