using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <param name="Offset">From the start of the method's instructions.</param>
/// <param name="Code">The operation.</param>
/// <param name="Operand">A token, or where a branch leads; 0 for others.</param>
/// <param name="End">Behind the instruction.</param>
internal readonly record struct IlInstruction(int Offset, ILOpCode Code, int Operand, int End)
{
    public bool IsBranch => Code.IsBranch();

    /// <summary>A branch that does not also fall through.</summary>
    public bool IsJump => Code is ILOpCode.Br or ILOpCode.Br_s or ILOpCode.Leave or ILOpCode.Leave_s;

    public bool IsCall => Code is ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj or ILOpCode.Ldftn or ILOpCode.Ldvirtftn;

    public bool ReadsField => Code is ILOpCode.Ldfld or ILOpCode.Ldsfld or ILOpCode.Ldflda or ILOpCode.Ldsflda;

    /// <summary>It writes the field, or hands out where it is.</summary>
    public bool WritesField => Code is ILOpCode.Stfld or ILOpCode.Stsfld or ILOpCode.Ldflda or ILOpCode.Ldsflda;

    public bool Stores => Code is ILOpCode.Stfld or ILOpCode.Stsfld;
}
