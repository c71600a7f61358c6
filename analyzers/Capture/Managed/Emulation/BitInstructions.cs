using System.Buffers.Binary;
using System.Numerics;
using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>Instructions that count, find and rearrange the bits of integers.</summary>
internal static class BitInstructions
{
    private const int BitsOfByte = 8;

    public static bool Bits(Cpu cpu, in Instruction instruction)
    {
        int size = Cpu.SizeOf(instruction, 0);
        int bits = size * BitsOfByte;
        int from = instruction.Mnemonic == Mnemonic.Bswap ? 0 : 1;
        if (cpu.Get(instruction, from) is not { } value)
        {
            return false;
        }

        CpuFlags flags = cpu.Flags;
        switch (instruction.Mnemonic)
        {
            case Mnemonic.Bswap:
                return cpu.Set(instruction, 0,
                    size == sizeof(ulong) ? BinaryPrimitives.ReverseEndianness(value) : BinaryPrimitives.ReverseEndianness((uint)value));
            case Mnemonic.Andn:
                return cpu.Get(instruction, 2) is { } other && cpu.Set(instruction, 0, flags.Logic(~value & other, size));
            case Mnemonic.Blsr:
                ulong reset = flags.Logic(value & unchecked(value - 1), size);
                flags.Carry = value == 0;
                return cpu.Set(instruction, 0, reset);
            case Mnemonic.Popcnt:
                flags.Logic(value, size);
                flags.Sign = flags.Parity = false;
                return cpu.Set(instruction, 0, (ulong)BitOperations.PopCount(value));
            case Mnemonic.Bsf or Mnemonic.Bsr:
                flags.Zero = value == 0;
                return value == 0 || cpu.Set(instruction, 0,
                    (ulong)(instruction.Mnemonic == Mnemonic.Bsf ? BitOperations.TrailingZeroCount(value) : BitOperations.Log2(value)));
            default:
                ulong count = value == 0 ? (ulong)bits
                    : (ulong)(instruction.Mnemonic == Mnemonic.Tzcnt
                        ? BitOperations.TrailingZeroCount(value)
                        : BitOperations.LeadingZeroCount(value) - (64 - bits));
                flags.Carry = value == 0;
                flags.Zero = count == 0;
                return cpu.Set(instruction, 0, count);
        }
    }

    public static bool TestBit(Cpu cpu, in Instruction instruction)
    {
        if (instruction.GetOpKind(0) != OpKind.Register || cpu.Get(instruction, 0) is not { } value
            || cpu.Get(instruction, 1) is not { } bit)
        {
            return false;
        }

        cpu.Flags.Carry = ((value >> (int)(bit % (ulong)(Cpu.SizeOf(instruction, 0) * BitsOfByte))) & 1) != 0;
        return true;
    }
}
