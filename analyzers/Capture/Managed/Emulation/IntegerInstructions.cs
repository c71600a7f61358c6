using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>What the instructions for integers and jumps do, as the processor's manual has it.</summary>
internal static class IntegerInstructions
{
    private const int Rax = 0;
    private const int Rdx = 2;
    private const int BitsOfByte = 8;

    /// <summary>Null for an instruction of another kind; false for one whose operands cannot be had.</summary>
    public static bool? Run(Cpu cpu, in Instruction instruction)
    {
        switch (instruction.Mnemonic)
        {
            case Mnemonic.Nop or Mnemonic.Endbr64:
                return true;
            case Mnemonic.Mov or Mnemonic.Movzx:
                return Move(cpu, instruction, cpu.Get(instruction, 1));
            case Mnemonic.Movsx or Mnemonic.Movsxd:
                return Move(cpu, instruction, Extended(cpu.Get(instruction, 1), Cpu.SizeOf(instruction, 1)));
            case Mnemonic.Lea:
                return Move(cpu, instruction, cpu.AddressOf(instruction, 1));
            case Mnemonic.Add or Mnemonic.Adc or Mnemonic.Sub or Mnemonic.Sbb or Mnemonic.Cmp or Mnemonic.And or Mnemonic.Or or Mnemonic.Xor
                or Mnemonic.Test:
                return Binary(cpu, instruction);
            case Mnemonic.Inc or Mnemonic.Dec or Mnemonic.Neg or Mnemonic.Not:
                return Unary(cpu, instruction);
            case Mnemonic.Shl or Mnemonic.Sal or Mnemonic.Shr or Mnemonic.Sar or Mnemonic.Rol or Mnemonic.Ror:
                return ShiftInstructions.Shift(cpu, instruction);
            case Mnemonic.Shlx or Mnemonic.Shrx or Mnemonic.Sarx or Mnemonic.Rorx:
                return ShiftInstructions.ShiftWithoutFlags(cpu, instruction);
            case Mnemonic.Imul when instruction.OpCount > 1:
                return ProductInstructions.Multiply(cpu, instruction);
            case Mnemonic.Imul or Mnemonic.Mul:
                return ProductInstructions.MultiplyWide(cpu, instruction, instruction.Mnemonic == Mnemonic.Imul);
            case Mnemonic.Mulx:
                return ProductInstructions.MultiplyWithoutFlags(cpu, instruction);
            case Mnemonic.Div or Mnemonic.Idiv:
                return ProductInstructions.Divide(cpu, instruction, instruction.Mnemonic == Mnemonic.Idiv);
            case Mnemonic.Cwde or Mnemonic.Cdqe or Mnemonic.Cdq or Mnemonic.Cqo:
                return SignExtend(cpu, instruction.Mnemonic);
            case Mnemonic.Popcnt or Mnemonic.Lzcnt or Mnemonic.Tzcnt or Mnemonic.Bsf or Mnemonic.Bsr or Mnemonic.Bswap or Mnemonic.Andn
                or Mnemonic.Blsr:
                return BitInstructions.Bits(cpu, instruction);
            case Mnemonic.Bt:
                return BitInstructions.TestBit(cpu, instruction);
            case Mnemonic.Xchg or Mnemonic.Xadd or Mnemonic.Cmpxchg:
                return Exchange(cpu, instruction);
            case Mnemonic.Push:
                return cpu.Get(instruction, 0) is { } pushed && cpu.Push(pushed);
            case Mnemonic.Pop:
                return cpu.Pop() is { } popped && cpu.Set(instruction, 0, popped);
            case Mnemonic.Leave:
                cpu.SetRegister(Register.RSP, cpu.Register(Register.RBP));
                return cpu.Pop() is { } frame && Set(cpu, Register.RBP, frame);
            case Mnemonic.Jmp or Mnemonic.Call or Mnemonic.Ret:
                return Jump(cpu, instruction);
            default:
                return Conditional(cpu, instruction);
        }
    }

    private static bool Move(Cpu cpu, in Instruction instruction, ulong? value) => value is { } known && cpu.Set(instruction, 0, known);

    private static bool Set(Cpu cpu, Register register, ulong value)
    {
        cpu.SetRegister(register, value);
        return true;
    }

    private static ulong? Extended(ulong? value, int size) => value is { } known ? (ulong)SignExtended(known, size) : null;

    /// <summary>A number of so many bytes, with its sign.</summary>
    public static long SignExtended(ulong value, int size)
    {
        int unused = (sizeof(ulong) - size) * BitsOfByte;
        return (long)(value << unused) >> unused;
    }

    private static bool Binary(Cpu cpu, in Instruction instruction)
    {
        int size = Cpu.SizeOf(instruction, 0);
        if (cpu.Get(instruction, 0) is not { } left || cpu.Get(instruction, 1) is not { } right)
        {
            return false;
        }

        CpuFlags flags = cpu.Flags;
        ulong result = instruction.Mnemonic switch
        {
            Mnemonic.Add => flags.Add(left, right, carry: false, size),
            Mnemonic.Adc => flags.Add(left, right, flags.Carry, size),
            Mnemonic.Sub or Mnemonic.Cmp => flags.Subtract(left, right, borrow: false, size),
            Mnemonic.Sbb => flags.Subtract(left, right, flags.Carry, size),
            Mnemonic.Or => flags.Logic(left | right, size),
            Mnemonic.Xor => flags.Logic(left ^ right, size),
            _ => flags.Logic(left & right, size),
        };
        return instruction.Mnemonic is Mnemonic.Cmp or Mnemonic.Test || cpu.Set(instruction, 0, result);
    }

    private static bool Unary(Cpu cpu, in Instruction instruction)
    {
        int size = Cpu.SizeOf(instruction, 0);
        if (cpu.Get(instruction, 0) is not { } value)
        {
            return false;
        }

        // The carry is left as it is by one more and one less.
        bool carry = cpu.Flags.Carry;
        switch (instruction.Mnemonic)
        {
            case Mnemonic.Not:
                return cpu.Set(instruction, 0, ~value);
            case Mnemonic.Neg:
                return cpu.Set(instruction, 0, cpu.Flags.Subtract(0, value, borrow: false, size));
            case Mnemonic.Inc:
                value = cpu.Flags.Add(value, 1, carry: false, size);
                break;
            default:
                value = cpu.Flags.Subtract(value, 1, borrow: false, size);
                break;
        }

        cpu.Flags.Carry = carry;
        return cpu.Set(instruction, 0, value);
    }

    private static bool SignExtend(Cpu cpu, Mnemonic mnemonic)
    {
        ulong rax = cpu.General[Rax];
        switch (mnemonic)
        {
            case Mnemonic.Cwde:
                cpu.General[Rax] = (uint)(short)rax;
                break;
            case Mnemonic.Cdqe:
                cpu.General[Rax] = (ulong)(int)rax;
                break;
            case Mnemonic.Cdq:
                cpu.General[Rdx] = (int)rax < 0 ? uint.MaxValue : 0;
                break;
            default:
                cpu.General[Rdx] = (long)rax < 0 ? ulong.MaxValue : 0;
                break;
        }

        return true;
    }

    private static bool Exchange(Cpu cpu, in Instruction instruction)
    {
        int size = Cpu.SizeOf(instruction, 0);
        if (cpu.Get(instruction, 0) is not { } left || cpu.Get(instruction, 1) is not { } right)
        {
            return false;
        }

        switch (instruction.Mnemonic)
        {
            case Mnemonic.Xchg:
                return cpu.Set(instruction, 0, right) && cpu.Set(instruction, 1, left);
            case Mnemonic.Xadd:
                ulong sum = cpu.Flags.Add(left, right, carry: false, size);
                return cpu.Set(instruction, 1, left) && cpu.Set(instruction, 0, sum);
            default:
                Register rax = size switch { 8 => Register.RAX, 4 => Register.EAX, 2 => Register.AX, _ => Register.AL };
                cpu.Flags.Subtract(cpu.Register(rax), left, borrow: false, size);
                return cpu.Flags.Zero ? cpu.Set(instruction, 0, right) : cpu.Set(instruction, 0, left) && Set(cpu, rax, left);
        }
    }

    private static bool Jump(Cpu cpu, in Instruction instruction)
    {
        ulong? target = instruction.Mnemonic == Mnemonic.Ret ? cpu.Pop()
            : instruction.Op0Kind == OpKind.NearBranch64 ? instruction.NearBranch64
            : cpu.Get(instruction, 0);
        if (target is not { } known || (instruction.Mnemonic == Mnemonic.Call && !cpu.Push(instruction.NextIP)))
        {
            return false;
        }

        if (instruction.Mnemonic == Mnemonic.Ret && instruction.OpCount > 0)
        {
            cpu.General[Register.RSP.GetNumber()] += instruction.GetImmediate(0);
        }

        cpu.Rip = known;
        return true;
    }

    private static bool? Conditional(Cpu cpu, in Instruction instruction)
    {
        if (instruction.ConditionCode == ConditionCode.None)
        {
            return null;
        }

        bool holds = cpu.Flags.Holds(instruction.ConditionCode);
        if (instruction.IsJccShortOrNear)
        {
            cpu.Rip = holds ? instruction.NearBranch64 : instruction.NextIP;
            return true;
        }

        // A move that does not take place still clears the upper half of a register of 32 bits.
        bool isSet = instruction.OpCount == 1;
        return isSet ? cpu.Set(instruction, 0, holds ? 1u : 0u)
            : cpu.Get(instruction, 1) is { } moved && cpu.Get(instruction, 0) is { } kept && cpu.Set(instruction, 0, holds ? moved : kept);
    }
}
