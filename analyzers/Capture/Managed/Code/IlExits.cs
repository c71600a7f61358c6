using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <summary>The ways out of a loop.</summary>
internal static class IlExits
{
    /// <summary>A condition decides here whether the loop continues: a branch out of it, or its last branch back.</summary>
    public static bool IsConditional(IlInstruction instruction, (int Start, int End) loop)
        => instruction is { IsBranch: true, IsJump: false }
            && (IsOut(instruction, loop) || (instruction.Operand == loop.Start && instruction.End == loop.End));

    /// <summary>It leaves the loop whatever holds: by a jump, an end of the method or an exception.</summary>
    public static bool IsAbrupt(IlInstruction instruction, (int Start, int End) loop)
        => instruction.Code is ILOpCode.Ret or ILOpCode.Throw or ILOpCode.Rethrow or ILOpCode.Switch
            || (instruction.IsJump && IsOut(instruction, loop));

    /// <summary>What it leads to lies outside of the loop.</summary>
    public static bool IsOut(IlInstruction instruction, (int Start, int End) loop)
        => instruction.Operand < loop.Start || instruction.Operand >= loop.End;
}
