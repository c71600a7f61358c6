using System.Reflection.Metadata;

namespace HangTriage.Capture.Managed.Code;

/// <param name="Offset">From the start of the method's instructions.</param>
/// <param name="Code">The operation.</param>
/// <param name="Operand">
/// A token, a number, of one of 64 bits the upper half, the number of a variable, or where a branch leads; 0 for others.
/// </param>
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

    /// <summary>It reads a variable or an argument.</summary>
    public bool ReadsVariable
        => IsArgument ? !WritesVariable : Code is ILOpCode.Ldloc or ILOpCode.Ldloc_s or (>= ILOpCode.Ldloc_0 and <= ILOpCode.Ldloc_3);

    /// <summary>It writes a variable or an argument.</summary>
    public bool WritesVariable
        => Code is ILOpCode.Starg or ILOpCode.Starg_s or ILOpCode.Stloc or ILOpCode.Stloc_s or (>= ILOpCode.Stloc_0 and <= ILOpCode.Stloc_3);

    /// <summary>Which variable or argument it reads or writes.</summary>
    public (bool IsArgument, int Number) Variable => (IsArgument, Operand);

    private bool IsArgument
        => Code is ILOpCode.Ldarg or ILOpCode.Ldarg_s or (>= ILOpCode.Ldarg_0 and <= ILOpCode.Ldarg_3) or ILOpCode.Starg or ILOpCode.Starg_s;

    /// <summary>The address of the method that the instruction takes goes into a new delegate.</summary>
    public static bool MakesDelegate(IReadOnlyList<IlInstruction> body, int index)
        => body[index].Code is ILOpCode.Ldftn or ILOpCode.Ldvirtftn && index + 1 < body.Count && body[index + 1].Code == ILOpCode.Newobj;
}
