using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Loops that end by themselves as compilers write them: a count that goes up in each round and is compared with a limit, and a walk over a
/// collection of .NET's. Round the back goes a branch, behind the count and the comparison.
/// </summary>
internal static class IlBoundedLoops
{
    // What a limit is made of: a field of a field, a property, a length.
    private const int MostOfLimit = 6;
    private const string Collections = "System.Collections.";

    /// <summary>The branch goes round only until the count is at its limit, or the collection at its end.</summary>
    public static bool GoesRoundByCount(IlBody method, int branch)
    {
        IReadOnlyList<IlInstruction> body = method.Instructions;
        if (!body[branch].IsBranch || body[branch].Operand > body[branch].Offset)
        {
            return false;
        }

        int compared = Before(body, branch);
        return body[branch].Code switch
        {
            ILOpCode.Blt or ILOpCode.Blt_s or ILOpCode.Blt_un or ILOpCode.Blt_un_s or ILOpCode.Ble or ILOpCode.Ble_s
                => IsOfCount(method, compared),
            ILOpCode.Brtrue or ILOpCode.Brtrue_s => IsWalk(method, compared) || IsKeptComparison(method, compared),
            _ => false,
        };
    }

    // Code that is not optimised puts the result into a variable and reads that.
    private static bool IsKeptComparison(IlBody method, int read)
    {
        IReadOnlyList<IlInstruction> body = method.Instructions;
        int written = Before(body, read);
        int compares = Before(body, written);
        return compares > 0
            && body[read].ReadsVariable && body[written].WritesVariable && body[read].Variable == body[written].Variable
            && body[compares].Code is ILOpCode.Clt or ILOpCode.Clt_un
            && IsOfCount(method, Before(body, compares));
    }

    private static bool IsWalk(IlBody method, int call)
        => call >= 0 && method.Instructions[call].IsCall
            && method.Module.Names.Member(method.Instructions[call].Operand) is { Name: "MoveNext" } walk
            && walk.Type.StartsWith(Collections, StringComparison.Ordinal)
            && walk.Type.Contains("Enumerator", StringComparison.Ordinal)
            && !walk.Type.Contains("IEnumerator", StringComparison.Ordinal);

    /// <param name="method">The method.</param>
    /// <param name="at">The last of what makes the limit.</param>
    private static bool IsOfCount(IlBody method, int at)
    {
        IReadOnlyList<IlInstruction> body = method.Instructions;
        for (int read = at; read > 0 && at - read < MostOfLimit; read = Before(body, read))
        {
            int written = Before(body, IsField(body, read) ? Before(body, read) : read);
            if (written > 0 && IsSame(body, read, written))
            {
                return GoesUp(body, written);
            }

            if (body[read].WritesVariable || body[read].Stores || body[read].IsBranch || (body[read].IsCall && !IsProperty(method, read)))
            {
                return false;
            }
        }

        return false;
    }

    // A variable; or a field, as one that a lambda uses is, and one that an async method keeps over an await.
    private static bool IsSame(IReadOnlyList<IlInstruction> body, int read, int written)
        => (body[read].ReadsVariable && body[written].WritesVariable && body[read].Variable == body[written].Variable)
            || (IsField(body, read) && body[written].Code == ILOpCode.Stfld && body[read].Operand == body[written].Operand);

    // A field of what a variable holds.
    private static bool IsField(IReadOnlyList<IlInstruction> body, int read)
        => body[read].Code == ILOpCode.Ldfld && Before(body, read) is >= 0 and var holder && body[holder].ReadsVariable;

    private static bool IsProperty(IlBody method, int call)
        => method.Module.Names.Member(method.Instructions[call].Operand)?.Name is "get_Count" or "get_Length";

    // Read it, a number above zero, add, write.
    private static bool GoesUp(IReadOnlyList<IlInstruction> body, int written)
    {
        int add = Before(body, written), number = Before(body, add), read = Before(body, number);
        return read > 0
            && body[add].Code is ILOpCode.Add or ILOpCode.Add_ovf
            && body[number].Code is (>= ILOpCode.Ldc_i4_0 and <= ILOpCode.Ldc_i4_8) or ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i4
            && body[number].Operand > 0
            && (IsSame(body, read, written) || (body[written].Code == ILOpCode.Stfld && IsCopy(body, read, written)));
    }

    // A copy of the field, which was made before its holder was loaded.
    private static bool IsCopy(IReadOnlyList<IlInstruction> body, int read, int written)
    {
        int copied = Before(body, Before(body, read)), field = Before(body, copied);
        return field > 0 && body[read].ReadsVariable && body[copied].WritesVariable && body[read].Variable == body[copied].Variable
            && IsSame(body, field, written);
    }

    private static int Before(IReadOnlyList<IlInstruction> body, int index)
    {
        do
        {
            index--;
        }
        while (index >= 0 && body[index].Code == ILOpCode.Nop);

        return index;
    }
}
