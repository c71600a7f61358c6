using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// The instructions of a method that gives out items one by one, or is async, as if what it keeps in fields of its own object were
/// variables again, as in the source. The offsets stay.
/// </summary>
internal static class IlHoisted
{
    // No method has as many of its own.
    private const int FirstNumber = 0x1_0000;

    public static IReadOnlyList<IlInstruction> AsVariables(IReadOnlyList<IlInstruction> body)
    {
        IlInstruction[] code = [.. body.Where(instruction => instruction.Code != ILOpCode.Nop)];
        Dictionary<int, int> numbers = [];
        foreach ((_, IlInstruction field) in code.Zip(code.Skip(1)).Where(pair => IsOwn(pair.First, pair.Second)))
        {
            numbers.TryAdd(field.Operand, FirstNumber + numbers.Count);
        }

        List<IlInstruction> rewritten = [];
        foreach (IlInstruction next in code)
        {
            if (rewritten is [.., var holder] && IsOwn(holder, next))
            {
                ILOpCode reads = next.Code == ILOpCode.Ldfld ? ILOpCode.Ldloc : ILOpCode.Ldloca;
                rewritten[^1] = new IlInstruction(holder.Offset, reads, numbers[next.Operand], next.End);
            }
            else if (next.Code == ILOpCode.Stfld && numbers.TryGetValue(next.Operand, out int written))
            {
                rewritten.Add(next with { Code = ILOpCode.Stloc, Operand = written });
            }
            else
            {
                rewritten.Add(IsCopy(rewritten, next) ? next with { Code = ILOpCode.Ldloc, Operand = rewritten[^3].Operand } : next);
            }
        }

        return rewritten;
    }

    private static bool IsOwn(IlInstruction holder, IlInstruction field)
        => holder.Code == ILOpCode.Ldarg_0 && field.Code is ILOpCode.Ldfld or ILOpCode.Ldflda;

    // Before a field is written that was read, its value is put aside and the object is loaded.
    private static bool IsCopy(List<IlInstruction> before, IlInstruction next)
        => next.ReadsVariable
            && before is
            [.., { Code: ILOpCode.Ldloc, Operand: >= FirstNumber }, { WritesVariable: true } copied, { Code: ILOpCode.Ldarg_0 }]
            && copied.Variable == next.Variable;
}
