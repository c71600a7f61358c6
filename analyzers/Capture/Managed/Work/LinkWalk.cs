using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>
/// A loop that goes from an object to the one that a field of it refers to, until there is none: "while (category != null) category =
/// category.Parent".
/// </summary>
internal static class LinkWalk
{
    private const int MostSteps = 1_000_000;
    private const int MostOfGetter = 4;

    /// <summary>
    /// The field that the loop follows; null for a loop that follows none, or that something else than a missing reference can end.
    /// </summary>
    public static IlMember? FieldOf(IlModule module, IlInstruction[] loop, (int Start, int End) bounds)
    {
        IlInstruction[] code = [.. loop.Where(instruction => instruction.Code is not (ILOpCode.Nop or ILOpCode.Dup))];
        for (int index = 1; index + 1 < code.Length; index++)
        {
            if (code[index - 1].ReadsVariable && code[index + 1].WritesVariable && Field(module, code[index]) is { } field
                && Copies(code, code[index + 1].Variable) is var variables && variables.Contains(code[index - 1].Variable)
                && EndsByNull(module, code, bounds, variables, field))
            {
                return field;
            }
        }

        return null;
    }

    // Of "while (row.Next is { } next) row = next" both variables.
    private static HashSet<(bool IsArgument, int Number)> Copies(IlInstruction[] code, (bool IsArgument, int Number) first)
    {
        HashSet<(bool IsArgument, int Number)> found = [first];
        for (int before = 0; before < found.Count;)
        {
            before = found.Count;
            found.UnionWith(code.Zip(code.Skip(1))
                .Where(pair => pair.First.ReadsVariable && found.Contains(pair.First.Variable) && pair.Second.WritesVariable)
                .Select(pair => pair.Second.Variable));
        }

        return found;
    }

    /// <summary>The field that an instruction reads, itself or by the property around it; null for others.</summary>
    public static IlMember? Field(IlModule module, IlInstruction instruction)
    {
        if (instruction.Code == ILOpCode.Ldfld)
        {
            return module.Names.Member(instruction.Operand) is { IsOwn: true } read ? read : null;
        }

        if (instruction.Code is not (ILOpCode.Call or ILOpCode.Callvirt)
            || module.Names.Member(instruction.Operand) is not { IsOwn: true } called
            || !called.Name.StartsWith("get_", StringComparison.Ordinal) || module.IsVirtual(called.Definition))
        {
            return null;
        }

        IlInstruction[] body = [.. module.Body(called.Definition).Where(inner => inner.Code != ILOpCode.Nop)];
        return body.Length <= MostOfGetter && body is [{ Code: ILOpCode.Ldarg_0 }, { Code: ILOpCode.Ldfld, Operand: var token }, ..]
            ? module.Names.Member(token)
            : null;
    }

    /// <summary>Null where an object of the frame leads to an end, or none of them has the field.</summary>
    public static (string Type, int Length, ulong Start)? Circle(IReadOnlyList<ClrObject> objects, IlMember field)
    {
        (string, int, ulong)? circle = null;
        foreach (ClrObject start in objects.Where(found => Has(found.Type, field)))
        {
            if (Follow(start, field) is not { } found)
            {
                return null;
            }

            circle = found;
        }

        return circle;
    }

    public static bool Has(ClrType? type, IlMember field)
    {
        for (; type is not null; type = type.BaseType)
        {
            if (type.Name is { } name && NameBrackets.Without(name) == field.Type)
            {
                return type.GetFieldByName(field.Name) is { IsObjectReference: true };
            }
        }

        return false;
    }

    private static (string Type, int Length, ulong Start)? Follow(ClrObject start, IlMember field)
    {
        Dictionary<ulong, int> seen = [];
        for (ClrObject next = start; !next.IsNull && next.Type is { } type
            && seen.Count < MostSteps; next = next.ReadObjectField(field.Name))
        {
            if (!seen.TryAdd(next.Address, seen.Count))
            {
                return (type.Name ?? field.Type, seen.Count - seen[next.Address], next.Address);
            }
        }

        return null;
    }

    // Each way out asks whether one of the variables, or what it leads to, is null, and for nothing else.
    private static bool EndsByNull(
        IlModule module, IlInstruction[] code, (int Start, int End) bounds, HashSet<(bool IsArgument, int Number)> variables,
        IlMember field)
    {
        bool any = false;
        for (int index = 0; index < code.Length; index++)
        {
            if (!IlExits.IsConditional(code[index], bounds))
            {
                continue;
            }

            any = true;
            if (code[index].Code is not (ILOpCode.Brtrue or ILOpCode.Brtrue_s or ILOpCode.Brfalse or ILOpCode.Brfalse_s)
                || !AsksForNull(module, code, index, variables, field))
            {
                return false;
            }
        }

        return any;
    }

    // Unoptimised code compares with null, keeps the answer in a variable and asks for that.
    private static bool AsksForNull(
        IlModule module, IlInstruction[] code, int branch, HashSet<(bool IsArgument, int Number)> variables, IlMember field)
    {
        int at = branch - 1;
        if (at >= 1 && code[at].ReadsVariable && code[at - 1].WritesVariable && code[at].Variable == code[at - 1].Variable
            && !variables.Contains(code[at].Variable))
        {
            at -= 2;
        }

        // "(row = row.Next) != null": what is written is what is asked for.
        if (at >= 2 && code[at].WritesVariable && variables.Contains(code[at].Variable))
        {
            at--;
        }

        while (at >= 0 && code[at].Code is ILOpCode.Ldnull or ILOpCode.Cgt_un or ILOpCode.Ceq or ILOpCode.Ldc_i4_0)
        {
            at--;
        }

        return at >= 0 && (IsOneOf(code[at], variables)
            || (at >= 1 && Field(module, code[at]) == field && IsOneOf(code[at - 1], variables)));
    }

    private static bool IsOneOf(IlInstruction instruction, HashSet<(bool IsArgument, int Number)> variables)
        => instruction.ReadsVariable && variables.Contains(instruction.Variable);
}
