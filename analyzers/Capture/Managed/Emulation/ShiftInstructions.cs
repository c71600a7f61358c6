using System.Numerics;
using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>Instructions that shift and turn the bits of integers.</summary>
internal static class ShiftInstructions
{
    private const int BitsOfByte = 8;

    public static bool Shift(Cpu cpu, in Instruction instruction)
    {
        int size = Cpu.SizeOf(instruction, 0);
        int bits = size * BitsOfByte;
        if (cpu.Get(instruction, 0) is not { } value || cpu.Get(instruction, 1) is not { } by)
        {
            return false;
        }

        int count = (int)(by & (size == sizeof(ulong) ? 0x3Fu : 0x1Fu));
        if (instruction.Mnemonic is Mnemonic.Rol or Mnemonic.Ror)
        {
            int turn = count % bits;
            bool isLeft = instruction.Mnemonic == Mnemonic.Rol;
            ulong mask = CpuFlags.Mask(size);
            ulong turned = turn == 0 ? value
                : (isLeft ? (value << turn) | (value >> (bits - turn)) : (value >> turn) | (value << (bits - turn))) & mask;
            if (count != 0)
            {
                cpu.Flags.Carry = (turned & (isLeft ? 1UL : CpuFlags.SignBit(size))) != 0;
            }

            return cpu.Set(instruction, 0, turned);
        }

        if (count == 0)
        {
            return cpu.Set(instruction, 0, value);
        }

        bool keeps = count <= bits;
        bool isArithmetic = instruction.Mnemonic == Mnemonic.Sar;
        long signed = IntegerInstructions.SignExtended(value, size);
        ulong result = instruction.Mnemonic switch
        {
            Mnemonic.Shr => count >= bits ? 0 : value >> count,
            Mnemonic.Sar => (ulong)(signed >> Math.Min(count, 63)),
            _ => count >= bits ? 0 : value << count,
        };
        cpu.Flags.Carry = instruction.Mnemonic is Mnemonic.Shr or Mnemonic.Sar
            ? (isArithmetic ? (signed >> Math.Min(count - 1, 63)) & 1 : keeps ? (long)(value >> (count - 1)) & 1 : 0) != 0
            : keeps && ((value >> (bits - count)) & 1) != 0;
        cpu.Flags.Overflow = instruction.Mnemonic == Mnemonic.Shr ? (value & CpuFlags.SignBit(size)) != 0
            : !isArithmetic && ((result & CpuFlags.SignBit(size)) != 0) != cpu.Flags.Carry;
        cpu.Flags.Result(result, size);
        return cpu.Set(instruction, 0, result & CpuFlags.Mask(size));
    }

    public static bool ShiftWithoutFlags(Cpu cpu, in Instruction instruction)
    {
        int size = Cpu.SizeOf(instruction, 0);
        if (cpu.Get(instruction, 1) is not { } value || cpu.Get(instruction, 2) is not { } by)
        {
            return false;
        }

        int count = (int)(by & (size == sizeof(ulong) ? 0x3Fu : 0x1Fu));
        return cpu.Set(instruction, 0, instruction.Mnemonic switch
        {
            Mnemonic.Shlx => value << count,
            Mnemonic.Shrx => value >> count,
            Mnemonic.Sarx => (ulong)(IntegerInstructions.SignExtended(value, size) >> count),
            _ => size == sizeof(ulong) ? BitOperations.RotateRight(value, count) : BitOperations.RotateRight((uint)value, count),
        } & CpuFlags.Mask(size));
    }
}
