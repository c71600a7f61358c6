using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>Instructions that multiply and divide integers.</summary>
internal static class ProductInstructions
{
    private const int Rax = 0;
    private const int Rdx = 2;
    private const int BitsOfByte = 8;

    public static bool Multiply(Cpu cpu, in Instruction instruction)
    {
        int size = Cpu.SizeOf(instruction, 0);
        int first = instruction.OpCount - 2;
        if (cpu.Get(instruction, first) is not { } left || cpu.Get(instruction, first + 1) is not { } right)
        {
            return false;
        }

        Int128 whole = (Int128)IntegerInstructions.SignExtended(left, size) * IntegerInstructions.SignExtended(right, size);
        ulong result = unchecked((ulong)whole) & CpuFlags.Mask(size);
        cpu.Flags.Carry = cpu.Flags.Overflow = whole != IntegerInstructions.SignExtended(result, size);
        return cpu.Set(instruction, 0, result);
    }

    public static bool MultiplyWide(Cpu cpu, in Instruction instruction, bool isSigned)
    {
        int size = Cpu.SizeOf(instruction, 0);
        if (size < sizeof(uint) || cpu.Get(instruction, 0) is not { } by)
        {
            return false;
        }

        ulong value = cpu.General[Rax] & CpuFlags.Mask(size);
        UInt128 whole = isSigned
            ? (UInt128)((Int128)IntegerInstructions.SignExtended(value, size) * IntegerInstructions.SignExtended(by, size))
            : (UInt128)value * by;
        ulong low = (ulong)(whole & ulong.MaxValue) & CpuFlags.Mask(size);
        ulong high = (ulong)((whole >> (size * BitsOfByte)) & CpuFlags.Mask(size));
        cpu.Flags.Carry = cpu.Flags.Overflow = isSigned
            ? high != ((low & CpuFlags.SignBit(size)) != 0 ? CpuFlags.Mask(size) : 0)
            : high != 0;
        cpu.General[Rax] = low;
        cpu.General[Rdx] = high;
        return true;
    }

    public static bool MultiplyWithoutFlags(Cpu cpu, in Instruction instruction)
    {
        int size = Cpu.SizeOf(instruction, 0);
        if (cpu.Get(instruction, 2) is not { } by)
        {
            return false;
        }

        UInt128 whole = (UInt128)(cpu.General[Rdx] & CpuFlags.Mask(size)) * by;
        return cpu.Set(instruction, 1, (ulong)(whole & CpuFlags.Mask(size)))
            && cpu.Set(instruction, 0, (ulong)((whole >> (size * BitsOfByte)) & CpuFlags.Mask(size)));
    }

    // What would be an exception is nothing that is known.
    public static bool Divide(Cpu cpu, in Instruction instruction, bool isSigned)
    {
        int size = Cpu.SizeOf(instruction, 0);
        int bits = size * BitsOfByte;
        if (size < sizeof(uint) || cpu.Get(instruction, 0) is not { } divisor || divisor == 0)
        {
            return false;
        }

        UInt128 whole = ((UInt128)(cpu.General[Rdx] & CpuFlags.Mask(size)) << bits) | (cpu.General[Rax] & CpuFlags.Mask(size));
        if (!isSigned)
        {
            UInt128 quotient = whole / divisor;
            cpu.General[Rax] = (ulong)(quotient & CpuFlags.Mask(size));
            cpu.General[Rdx] = (ulong)(whole % divisor);
            return quotient <= CpuFlags.Mask(size);
        }

        int unused = 128 - (2 * bits);
        Int128 signed = (Int128)(whole << unused) >> unused;
        Int128 by = IntegerInstructions.SignExtended(divisor, size);
        Int128 part = signed / by;
        cpu.General[Rax] = unchecked((ulong)part) & CpuFlags.Mask(size);
        cpu.General[Rdx] = unchecked((ulong)(signed % by)) & CpuFlags.Mask(size);
        return part == IntegerInstructions.SignExtended(cpu.General[Rax], size);
    }
}
