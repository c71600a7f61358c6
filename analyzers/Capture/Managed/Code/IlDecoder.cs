using System.Buffers.Binary;
using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>Splits a method's instructions (ECMA-335, partition III). What makes no sense ends the list.</summary>
internal static class IlDecoder
{
    private const byte TwoBytes = 0xFE;

    public static IReadOnlyList<IlInstruction> Decode(ReadOnlySpan<byte> code)
    {
        List<IlInstruction> instructions = [];
        for (int at = 0; at < code.Length;)
        {
            if (Next(code, at) is not { } instruction)
            {
                break;
            }

            instructions.Add(instruction);
            at = instruction.End;
        }

        return instructions;
    }

    private static IlInstruction? Next(ReadOnlySpan<byte> code, int offset)
    {
        bool isLong = code[offset] == TwoBytes;
        int at = offset + (isLong ? 2 : 1);
        if (at > code.Length)
        {
            return null;
        }

        ILOpCode operation = (ILOpCode)(isLong ? (TwoBytes << 8) | code[offset + 1] : code[offset]);
        int size = operation == ILOpCode.Switch ? SizeOfSwitch(code, at) : SizeOf(operation);
        if (size < 0 || size > code.Length - at)
        {
            return null;
        }

        int end = at + size;
        int operand = operation.IsBranch()
                ? end + (operation.GetBranchOperandSize() == 1 ? (sbyte)code[at] : BinaryPrimitives.ReadInt32LittleEndian(code[at..]))
            : operation == ILOpCode.Ldc_i8 ? BinaryPrimitives.ReadInt32LittleEndian(code[(at + 4)..])
            : size == 4 && operation is not (ILOpCode.Ldc_r4 or ILOpCode.Switch) ? BinaryPrimitives.ReadInt32LittleEndian(code[at..])
            : operation == ILOpCode.Ldc_i4_s ? (sbyte)code[at]
            : operation is >= ILOpCode.Ldc_i4_0 and <= ILOpCode.Ldc_i4_8 ? operation - ILOpCode.Ldc_i4_0
            : operation is >= ILOpCode.Ldarg_0 and <= ILOpCode.Ldarg_3 ? operation - ILOpCode.Ldarg_0
            : operation is >= ILOpCode.Ldloc_0 and <= ILOpCode.Ldloc_3 ? operation - ILOpCode.Ldloc_0
            : operation is >= ILOpCode.Stloc_0 and <= ILOpCode.Stloc_3 ? operation - ILOpCode.Stloc_0
            : IsVariable(operation) ? size == 1 ? code[at] : BinaryPrimitives.ReadUInt16LittleEndian(code[at..])
            : 0;
        return new IlInstruction(offset, operation, operand, end);
    }

    private static bool IsVariable(ILOpCode operation)
        => operation is ILOpCode.Ldloc or ILOpCode.Ldloc_s or ILOpCode.Ldloca or ILOpCode.Ldloca_s or ILOpCode.Stloc or ILOpCode.Stloc_s
            or ILOpCode.Ldarga or ILOpCode.Ldarga_s
            or ILOpCode.Ldarg or ILOpCode.Ldarg_s or ILOpCode.Starg or ILOpCode.Starg_s;

    private static int SizeOfSwitch(ReadOnlySpan<byte> code, int at)
        => code.Length - at >= 4 && BinaryPrimitives.ReadUInt32LittleEndian(code[at..]) is var count && count <= (code.Length - at) / 4
            ? 4 + ((int)count * 4)
            : -1;

    private static int SizeOf(ILOpCode operation) => operation switch
    {
        _ when operation.IsBranch() => operation.GetBranchOperandSize(),
        ILOpCode.Ldarg_s or ILOpCode.Ldarga_s or ILOpCode.Starg_s or ILOpCode.Ldloc_s or ILOpCode.Ldloca_s or ILOpCode.Stloc_s
            or ILOpCode.Ldc_i4_s or ILOpCode.Unaligned => 1,
        ILOpCode.Ldarg or ILOpCode.Ldarga or ILOpCode.Starg or ILOpCode.Ldloc or ILOpCode.Ldloca or ILOpCode.Stloc => 2,
        ILOpCode.Ldc_i4 or ILOpCode.Ldc_r4 => 4,
        ILOpCode.Ldc_i8 or ILOpCode.Ldc_r8 => 8,
        ILOpCode.Jmp or ILOpCode.Call or ILOpCode.Calli or ILOpCode.Callvirt or ILOpCode.Cpobj or ILOpCode.Ldobj or ILOpCode.Ldstr
            or ILOpCode.Newobj or ILOpCode.Castclass or ILOpCode.Isinst or ILOpCode.Unbox or ILOpCode.Ldfld or ILOpCode.Ldflda
            or ILOpCode.Stfld or ILOpCode.Ldsfld or ILOpCode.Ldsflda or ILOpCode.Stsfld or ILOpCode.Stobj or ILOpCode.Box
            or ILOpCode.Newarr or ILOpCode.Ldelema or ILOpCode.Ldelem or ILOpCode.Stelem or ILOpCode.Unbox_any or ILOpCode.Refanyval
            or ILOpCode.Mkrefany or ILOpCode.Ldtoken or ILOpCode.Ldftn or ILOpCode.Ldvirtftn or ILOpCode.Initobj
            or ILOpCode.Constrained or ILOpCode.Sizeof => 4,
        _ when Enum.IsDefined(operation) => 0,
        _ => -1,
    };
}
