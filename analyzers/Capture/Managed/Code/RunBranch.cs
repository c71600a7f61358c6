using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>The branches of a loop that is run.</summary>
internal static class RunBranch
{
    /// <summary>Whether it is taken; null where that is not known. Takes its values from the stack.</summary>
    public static bool? Taken(ILOpCode code, Stack<RunValue> stack) => code switch
    {
        ILOpCode.Br or ILOpCode.Br_s or ILOpCode.Leave or ILOpCode.Leave_s => true,
        ILOpCode.Brtrue or ILOpCode.Brtrue_s => One(stack),
        ILOpCode.Brfalse or ILOpCode.Brfalse_s => !One(stack),
        ILOpCode.Beq or ILOpCode.Beq_s => Two(stack, RunValue.AreEqual),
        ILOpCode.Bne_un or ILOpCode.Bne_un_s => !Two(stack, RunValue.AreEqual),
        ILOpCode.Blt or ILOpCode.Blt_s => Two(stack, RunArithmetic.IsLess),
        ILOpCode.Bge or ILOpCode.Bge_s => !Two(stack, RunArithmetic.IsLess),
        ILOpCode.Bgt or ILOpCode.Bgt_s => Two(stack, RunArithmetic.IsMore),
        ILOpCode.Ble or ILOpCode.Ble_s => !Two(stack, RunArithmetic.IsMore),
        _ => null,
    };

    private static bool? One(Stack<RunValue> stack) => stack.TryPop(out RunValue value) ? value.IsTrue : null;

    private static bool? Two(Stack<RunValue> stack, Func<RunValue, RunValue, bool?> compare)
        => stack.TryPop(out RunValue right) && stack.TryPop(out RunValue left) ? compare(left, right) : null;
}
