using System.Reflection.Metadata;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Code;

/// <summary>The numbers of a loop that is run.</summary>
internal static class RunArithmetic
{
    /// <summary>Null where one is no number that is known.</summary>
    public static bool? IsLess(RunValue left, RunValue right)
        => left.Number is { } one && right.Number is { } other ? one < other : null;

    public static bool? IsMore(RunValue left, RunValue right) => IsLess(right, left);

    /// <summary>False for an instruction that is not known, or changes something.</summary>
    public static bool Step(IlInstruction instruction, Stack<RunValue> stack, ClrHeap heap)
    {
        if (ConstantOf(instruction) is { } constant)
        {
            stack.Push(constant);
            return true;
        }

        switch (instruction.Code)
        {
            case ILOpCode.Dup:
                return stack.TryPeek(out RunValue top) && Push(top);
            case ILOpCode.Pop:
                return stack.TryPop(out _);
            case ILOpCode.Conv_i1 or ILOpCode.Conv_u1 or ILOpCode.Conv_i2 or ILOpCode.Conv_u2 or ILOpCode.Conv_i4 or ILOpCode.Conv_u4
                or ILOpCode.Conv_i8 or ILOpCode.Conv_u8:
                return stack.TryPop(out RunValue whole) && Push(Converted(instruction.Code, whole));
            case ILOpCode.Ldind_i1 or ILOpCode.Ldind_u1 or ILOpCode.Ldind_i2 or ILOpCode.Ldind_u2 or ILOpCode.Ldind_i4 or ILOpCode.Ldind_u4
                or ILOpCode.Ldind_i8 or ILOpCode.Ldind_ref:
                return stack.TryPop(out RunValue place) && Push(place.Read(heap));
            case ILOpCode.Neg:
                return stack.TryPop(out RunValue negated) && Push(Of(unchecked(-negated.Number)));
            default:
                return stack.Count > 1 && Joined(instruction.Code, stack.Pop(), stack.Pop()) is { } joined && Push(joined);
        }

        bool Push(RunValue value)
        {
            stack.Push(value);
            return true;
        }
    }

    private static RunValue? ConstantOf(IlInstruction instruction) => instruction.Code switch
    {
        ILOpCode.Ldc_i4_m1 => RunValue.Of(-1),
        ILOpCode.Ldc_i4 or ILOpCode.Ldc_i4_s or (>= ILOpCode.Ldc_i4_0 and <= ILOpCode.Ldc_i4_8) => RunValue.Of(instruction.Operand),
        ILOpCode.Ldnull => RunValue.Of(default(ClrObject)),
        ILOpCode.Ldstr or ILOpCode.Ldc_i8 or ILOpCode.Ldc_r4 or ILOpCode.Ldc_r8 => RunValue.Unknown,
        _ => null,
    };

    // Null for an instruction of another kind.
    private static RunValue? Joined(ILOpCode code, RunValue right, RunValue left) => code switch
    {
        ILOpCode.Ceq => Of(RunValue.AreEqual(left, right)),
        ILOpCode.Clt => Of(IsLess(left, right)),
        ILOpCode.Cgt => Of(IsMore(left, right)),
        ILOpCode.Cgt_un when right is { Object.IsNull: true } or { Number: 0 } => Of(left.IsTrue),
        ILOpCode.Add => Of(unchecked(left.Number + right.Number)),
        ILOpCode.Sub => Of(unchecked(left.Number - right.Number)),
        ILOpCode.And => Of(left.Number & right.Number),
        ILOpCode.Or => Of(left.Number | right.Number),
        ILOpCode.Xor => Of(left.Number ^ right.Number),
        ILOpCode.Cgt_un or ILOpCode.Clt_un => RunValue.Unknown,
        _ => null,
    };

    private static RunValue Converted(ILOpCode code, RunValue value) => Of(unchecked(code switch
    {
        ILOpCode.Conv_i1 => (sbyte?)value.Number,
        ILOpCode.Conv_u1 => (byte?)value.Number,
        ILOpCode.Conv_i2 => (short?)value.Number,
        ILOpCode.Conv_u2 => (ushort?)value.Number,
        ILOpCode.Conv_i4 => (int?)value.Number,
        ILOpCode.Conv_u4 => (uint?)value.Number,
        _ => value.Number,
    }));

    private static RunValue Of(long? number) => number is { } known ? RunValue.Of(known) : RunValue.Unknown;

    private static RunValue Of(bool? truth) => truth is { } known ? RunValue.Of(known) : RunValue.Unknown;
}
