using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Tells loops that end by themselves, with a count or the end of a collection, from those that only something else ends.</summary>
internal static class IlBounds
{
    private const string MoveNext = "MoveNext";
    private const int NearBranch = 6;

    // What is given out as long as there is more to come.
    private const string Consuming = "GetConsumingEnumerable";

    /// <summary>The place is in no loop but such as end by themselves. Of several branches back to one place the last is the loop's.</summary>
    /// <param name="module">The module of the method.</param>
    /// <param name="body">Its instructions.</param>
    /// <param name="at">The place.</param>
    /// <param name="except">A loop that does not count, by where it begins.</param>
    /// <param name="from">Loops that begin before it do not count.</param>
    /// <param name="makesNext">Whoever gives out the items is at work on the next one, and does not wait for it.</param>
    public static bool EndsByItself(
        IlModule module, IReadOnlyList<IlInstruction> body, int at, int? except = null, int from = 0, bool makesNext = false)
        => IlLoops.WaitLoops(body)
            .GroupBy(loop => loop.Start)
            .Select(loops => (Start: loops.Key, End: loops.Max(loop => loop.End)))
            .Where(loop => loop.Start <= at && loop.End > at && loop.Start >= from && loop.Start != except)
            .All(loop => IsBounded(module, body, at, loop, makesNext));

    /// <summary>The branch that closes the loop is taken as long as there is a next item or a number is below another.</summary>
    public static bool IsBounded(
        IlModule module, IReadOnlyList<IlInstruction> body, int at, (int Start, int End) loop, bool makesNext = false)
    {
        IlInstruction[] last = [.. body.Where(instruction => instruction.End <= loop.End && instruction.Offset >= loop.Start).TakeLast(NearBranch)];
        if (last is not [.., { IsBranch: true, IsJump: false } closing])
        {
            return false;
        }

        // Whoever waits for the next item itself is in the branch's condition.
        return Array.FindIndex(last, instruction => instruction.IsCall && module.Names.Member(instruction.Operand)?.Name == MoveNext) is >= 0 and var next
            ? !body.Any(instruction => instruction.IsCall && module.Names.Member(instruction.Operand)?.Name == Consuming)
                && (makesNext || at < ConditionOf(last, next))
            : IsComparison(closing.Code) || last.Where((_, index) => !IsNothing(last, index - 1)).Any(instruction => instruction.Code is ILOpCode.Clt or ILOpCode.Clt_un or ILOpCode.Cgt or ILOpCode.Cgt_un);
    }

    // From where on what gives out the items is loaded.
    private static int ConditionOf(IlInstruction[] last, int next)
    {
        int first = next;
        while (first > 0 && IsLoad(last[first - 1].Code))
        {
            first--;
        }

        return last[first].Offset;
    }

    private static bool IsLoad(ILOpCode code)
        => code is ILOpCode.Ldarg_0 or ILOpCode.Ldfld or ILOpCode.Ldflda or ILOpCode.Ldloca or ILOpCode.Ldloca_s
            or ILOpCode.Ldloc or ILOpCode.Ldloc_s or ILOpCode.Ldloc_0 or ILOpCode.Ldloc_1 or ILOpCode.Ldloc_2 or ILOpCode.Ldloc_3;

    // Greater than null or 0, unsigned, is how compilers write that something is not null or 0.
    private static bool IsNothing(IlInstruction[] code, int index)
        => index >= 0 && code[index].Code is ILOpCode.Ldnull or ILOpCode.Ldc_i4_0 && code[index + 1].Code == ILOpCode.Cgt_un;

    private static bool IsComparison(ILOpCode code)
        => code is ILOpCode.Blt or ILOpCode.Blt_s or ILOpCode.Blt_un or ILOpCode.Blt_un_s
            or ILOpCode.Ble or ILOpCode.Ble_s or ILOpCode.Ble_un or ILOpCode.Ble_un_s
            or ILOpCode.Bgt or ILOpCode.Bgt_s or ILOpCode.Bgt_un or ILOpCode.Bgt_un_s
            or ILOpCode.Bge or ILOpCode.Bge_s or ILOpCode.Bge_un or ILOpCode.Bge_un_s;
}
