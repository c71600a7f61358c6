using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// Tells an update that is tried until no other thread comes between, <c>CompareExchange(ref count, seen + 1, seen)</c>, from a lock that
/// is tried: a lock compares with what stands for free, which is a constant, and an update with what was there before.
/// </summary>
internal static class IlUpdates
{
    private const string CompareExchange = "System.Threading.Interlocked.CompareExchange";

    /// <summary>The instruction is such an update.</summary>
    public static bool IsUpdate(IlModule module, IReadOnlyList<IlInstruction> code, int index)
        => code[index].IsCall && module.Names.Member(code[index].Operand)?.FullName == CompareExchange && Compares(code, index);

    /// <summary>What is compared with comes from a variable, and what is put in its place is no constant.</summary>
    /// <param name="code">The instructions.</param>
    /// <param name="call">Which of them is the call.</param>
    public static bool Compares(IReadOnlyList<IlInstruction> code, int call)
    {
        int at = Before(code, call);
        if (at < 0 || !code[at].ReadsVariable)
        {
            return false;
        }

        int value = Before(code, at);
        return value >= 0 && !IsConstant(code[value].Code);
    }

    // Boxes and conversions change nothing of where a value comes from.
    private static int Before(IReadOnlyList<IlInstruction> code, int index)
    {
        int at = index - 1;
        while (at >= 0 && code[at].Code is ILOpCode.Box or ILOpCode.Nop or ILOpCode.Castclass or ILOpCode.Conv_i4 or ILOpCode.Conv_i8)
        {
            at--;
        }

        return at;
    }

    private static bool IsConstant(ILOpCode code)
        => code is ILOpCode.Ldnull or (>= ILOpCode.Ldc_i4_m1 and <= ILOpCode.Ldc_i4_8)
            or ILOpCode.Ldc_i4_s or ILOpCode.Ldc_i4 or ILOpCode.Ldc_i8;
}
