using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>
/// An instruction, and which registers and flags it reads and writes, as bits: sixteen general registers, sixteen vector registers, and
/// the flags as Iced numbers them.
/// </summary>
internal sealed class EmulatedStep
{
    public const int FirstVector = 16;
    public const int FirstFlag = 32;

    private readonly Instruction _instruction;

    private EmulatedStep(in Instruction instruction) => _instruction = instruction;

    public ref readonly Instruction Instruction => ref _instruction;

    /// <summary>What its results, its way on and its addresses hang on.</summary>
    public ulong Reads { get; private set; }

    public ulong Writes { get; private set; }

    /// <summary>Those of what it writes of which nothing is left that was there before.</summary>
    public ulong Replaces { get; private set; }

    /// <summary>What the addresses hang on that it reads and writes.</summary>
    public ulong Addresses { get; private set; }

    /// <summary>Which instruction follows hangs on what it reads; or an exception does.</summary>
    public bool Decides { get; private init; }

    /// <summary>It uses registers of 256 bits, of which a dump has the half.</summary>
    public bool IsWide { get; private init; }

    public static EmulatedStep Of(in Instruction instruction, InstructionInfoFactory factory)
    {
        InstructionInfo info = factory.GetInfo(instruction);
        EmulatedStep step = new(instruction)
        {
            Decides = instruction.FlowControl is FlowControl.ConditionalBranch or FlowControl.IndirectBranch
                    or FlowControl.IndirectCall or FlowControl.Return
                || instruction.Mnemonic is Mnemonic.Div or Mnemonic.Idiv,
            IsWide = info.GetUsedRegisters().Any(used => used.Register.IsYMM()),
        };
        foreach (UsedRegister used in info.GetUsedRegisters())
        {
            step.Add(used, instruction);
        }

        foreach (UsedMemory used in info.GetUsedMemory())
        {
            step.Addresses |= Bit(used.Base) | Bit(used.Index);
        }

        step.Reads |= step.Addresses | ((ulong)instruction.RflagsRead << FirstFlag);
        ulong flags = (ulong)instruction.RflagsModified << FirstFlag;
        step.Writes |= flags;
        step.Replaces |= IsShiftByRegister(instruction) ? 0 : flags;
        if (instruction.Mnemonic is Mnemonic.Push or Mnemonic.Pop)
        {
            // Where the stack ends afterwards does not hang on what is moved.
            ulong stack = Bit(Register.RSP);
            step.Addresses |= stack;
            step.Writes &= ~stack;
            step.Replaces &= ~stack;
        }

        return step;
    }

    private void Add(UsedRegister used, in Instruction instruction)
    {
        ulong bit = Bit(used.Register);
        bool writes = used.Access is OpAccess.Write or OpAccess.CondWrite or OpAccess.ReadWrite or OpAccess.ReadCondWrite;
        bool isWhole = used.Access is OpAccess.Write or OpAccess.ReadWrite
            && (used.Register.IsGPR() ? used.Register.GetSize() >= sizeof(uint)
                : instruction.Encoding == EncodingKind.VEX || used.Access == OpAccess.Write);
        if (used.Access is not (OpAccess.Write or OpAccess.None or OpAccess.NoMemAccess) || (writes && !isWhole))
        {
            Reads |= bit;
        }

        Writes |= writes ? bit : 0;
        Replaces |= writes && isWhole ? bit : 0;
    }

    private static ulong Bit(Register register)
        => register.IsVectorRegister() ? register.GetNumber() < FirstFlag - FirstVector ? 1UL << (FirstVector + register.GetNumber()) : 0
            : register.IsGPR() ? 1UL << register.GetFullRegister().GetNumber()
            : 0;

    // By none it leaves the flags as they are.
    private static bool IsShiftByRegister(in Instruction instruction)
        => instruction.Mnemonic is Mnemonic.Shl or Mnemonic.Sal or Mnemonic.Shr or Mnemonic.Sar or Mnemonic.Rol or Mnemonic.Ror
            && instruction.Op1Kind == OpKind.Register;
}
