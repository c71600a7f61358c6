using System.Runtime.Intrinsics;
using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>What the commonest instructions for numbers with a fraction and for vectors do, in both encodings (SSE and VEX).</summary>
internal static class VectorInstructions
{
    private delegate Vector256<byte> Combine(Vector256<byte> left, Vector256<byte> right);

    // By the name without the v of VEX.
    private static readonly Dictionary<string, Combine> s_combine = new(StringComparer.Ordinal)
    {
        ["Xorps"] = (left, right) => left ^ right,
        ["Andps"] = (left, right) => left & right,
        ["Andnps"] = (left, right) => ~left & right,
        ["Orps"] = (left, right) => left | right,
        ["Pcmpeqb"] = Vector256.Equals,
        ["Pcmpeqw"] = (left, right) => Vector256.Equals(left.AsUInt16(), right.AsUInt16()).AsByte(),
        ["Pcmpeqd"] = (left, right) => Vector256.Equals(left.AsUInt32(), right.AsUInt32()).AsByte(),
        ["Pcmpeqq"] = (left, right) => Vector256.Equals(left.AsUInt64(), right.AsUInt64()).AsByte(),
        ["Paddd"] = (left, right) => (left.AsUInt32() + right.AsUInt32()).AsByte(),
        ["Paddq"] = (left, right) => (left.AsUInt64() + right.AsUInt64()).AsByte(),
        ["Psubd"] = (left, right) => (left.AsUInt32() - right.AsUInt32()).AsByte(),
        ["Psubq"] = (left, right) => (left.AsUInt64() - right.AsUInt64()).AsByte(),
    };

    // What does the same under another name.
    private static readonly Dictionary<string, string> s_same = new(StringComparer.Ordinal)
    {
        ["Pxor"] = "Xorps", ["Xorpd"] = "Xorps", ["Pand"] = "Andps", ["Andpd"] = "Andps", ["Pandn"] = "Andnps", ["Andnpd"] = "Andnps",
        ["Por"] = "Orps", ["Orpd"] = "Orps",
        ["Movups"] = "Movaps", ["Movapd"] = "Movaps", ["Movupd"] = "Movaps", ["Movdqa"] = "Movaps", ["Movdqu"] = "Movaps",
        ["Comisd"] = "Ucomisd", ["Comiss"] = "Ucomiss", ["Movq"] = "Movd",
    };

    /// <inheritdoc cref="IntegerInstructions.Run"/>
    public static bool? Run(Cpu cpu, in Instruction instruction)
    {
        string name = instruction.Mnemonic.ToString();
        bool isVex = name.StartsWith('V');
        name = isVex ? char.ToUpperInvariant(name[1]) + name[2..] : name;
        name = s_same.GetValueOrDefault(name, name);
        if (s_combine.TryGetValue(name, out Combine? combine))
        {
            int first = instruction.OpCount - 2;
            return cpu.GetVector(instruction, first) is { } left && cpu.GetVector(instruction, first + 1) is { } right
                && cpu.SetVector(instruction, 0, combine(left, right), isVex);
        }

        return name switch
        {
            "Movaps" => cpu.GetVector(instruction, 1) is { } moved && cpu.SetVector(instruction, 0, moved, isVex),
            "Movd" => MoveNumber(cpu, instruction, isVex),
            "Movsd" => MoveScalar(cpu, instruction, sizeof(double), isVex),
            "Movss" => MoveScalar(cpu, instruction, sizeof(float), isVex),
            "Ucomisd" or "Ucomiss" => Compare(cpu, instruction, name == "Ucomisd" ? sizeof(double) : sizeof(float)),
            "Ptest" => Test(cpu, instruction),
            "Pmovmskb" => cpu.GetVector(instruction, 1) is { } bytes && cpu.Set(instruction, 0, bytes.ExtractMostSignificantBits()),
            "Addsd" or "Subsd" or "Mulsd" or "Divsd" or "Minsd" or "Maxsd" or "Sqrtsd"
                => Compute(cpu, instruction, name, sizeof(double), isVex),
            "Addss" or "Subss" or "Mulss" or "Divss" or "Minss" or "Maxss" or "Sqrtss"
                => Compute(cpu, instruction, name, sizeof(float), isVex),
            "Cvtsi2sd" or "Cvtsi2ss" or "Cvtss2sd" or "Cvtsd2ss" => Convert(cpu, instruction, name, isVex),
            "Cvttsd2si" or "Cvttss2si" => Truncate(cpu, instruction, name == "Cvttsd2si" ? sizeof(double) : sizeof(float)),
            "Zeroupper" => ClearUpper(cpu),
            _ => null,
        };
    }

    // Between a general register or memory and a vector register, whose rest is cleared.
    private static bool MoveNumber(Cpu cpu, in Instruction instruction, bool isVex)
    {
        bool isToVector = instruction.Op0Kind == OpKind.Register && instruction.Op0Register.IsVectorRegister();
        int size = Math.Min(Math.Min(Cpu.SizeOf(instruction, 0), Cpu.SizeOf(instruction, 1)), sizeof(ulong));
        return cpu.Get(instruction, 1, size) is { } value
            && (isToVector ? cpu.SetVector(instruction, 0, Vector256.CreateScalar(value).AsByte(), isVex) : cpu.Set(instruction, 0, value));
    }

    private static bool MoveScalar(Cpu cpu, in Instruction instruction, int size, bool isVex)
    {
        int last = instruction.OpCount - 1;
        if (cpu.Get(instruction, last, size) is not { } value)
        {
            return false;
        }

        return instruction.Op0Kind == OpKind.Memory ? cpu.Set(instruction, 0, value)
            : instruction.GetOpKind(last) == OpKind.Memory ? cpu.SetVector(instruction, 0, Vector256.CreateScalar(value).AsByte(), isVex)
            : SetScalar(cpu, instruction, value, size, isVex);
    }

    // The rest of the register is that of the first source: of two operands the target's own.
    private static bool SetScalar(Cpu cpu, in Instruction instruction, ulong value, int size, bool isVex)
    {
        if (cpu.GetVector(instruction, isVex && instruction.OpCount > 2 ? 1 : 0) is not { } rest)
        {
            return false;
        }

        Vector256<byte> result = size == sizeof(ulong)
            ? rest.AsUInt64().WithElement(0, value).AsByte()
            : rest.AsUInt32().WithElement(0, (uint)value).AsByte();
        return cpu.SetVector(instruction, 0, result, isVex);
    }

    private static double? Number(Cpu cpu, in Instruction instruction, int operand, int size)
        => cpu.Get(instruction, operand, size) is not { } bits ? null
            : size == sizeof(double) ? BitConverter.UInt64BitsToDouble(bits)
            : BitConverter.UInt32BitsToSingle((uint)bits);

    private static bool Compare(Cpu cpu, in Instruction instruction, int size)
    {
        if (Number(cpu, instruction, 0, size) is not { } left || Number(cpu, instruction, 1, size) is not { } right)
        {
            return false;
        }

        cpu.Flags.Compare(left, right);
        return true;
    }

    private static bool Test(Cpu cpu, in Instruction instruction)
    {
        if (cpu.GetVector(instruction, 0) is not { } left || cpu.GetVector(instruction, 1) is not { } right)
        {
            return false;
        }

        cpu.Flags.Zero = (left & right) == Vector256<byte>.Zero;
        cpu.Flags.Carry = (~left & right) == Vector256<byte>.Zero;
        cpu.Flags.Sign = cpu.Flags.Parity = cpu.Flags.Overflow = false;
        return true;
    }

    private static bool Compute(Cpu cpu, in Instruction instruction, string name, int size, bool isVex)
    {
        int first = instruction.OpCount - 2;
        if (Number(cpu, instruction, first, size) is not { } left || Number(cpu, instruction, first + 1, size) is not { } right)
        {
            return false;
        }

        bool isDouble = size == sizeof(double);
        double result = name[..^2] switch
        {
            "Add" => isDouble ? left + right : (float)left + (float)right,
            "Sub" => isDouble ? left - right : (float)left - (float)right,
            "Mul" => isDouble ? left * right : (float)left * (float)right,
            "Div" => isDouble ? left / right : (float)left / (float)right,
            "Min" => left < right ? left : right,
            "Max" => left > right ? left : right,
            _ => isDouble ? Math.Sqrt(right) : MathF.Sqrt((float)right),
        };
        return SetScalar(cpu, instruction, Bits(result, size), size, isVex);
    }

    private static ulong Bits(double value, int size)
        => size == sizeof(double) ? BitConverter.DoubleToUInt64Bits(value) : BitConverter.SingleToUInt32Bits((float)value);

    private static bool Convert(Cpu cpu, in Instruction instruction, string name, bool isVex)
    {
        int last = instruction.OpCount - 1;
        int to = name.EndsWith('d') ? sizeof(double) : sizeof(float);
        if (name.StartsWith("Cvtsi", StringComparison.Ordinal))
        {
            bool isLong = Cpu.SizeOf(instruction, last) == sizeof(long);
            return cpu.Get(instruction, last) is { } number
                && SetScalar(cpu, instruction,
                    to == sizeof(double)
                        ? BitConverter.DoubleToUInt64Bits(isLong ? (long)number : (int)number)
                        : BitConverter.SingleToUInt32Bits(isLong ? (long)number : (int)number),
                    to, isVex);
        }

        return Number(cpu, instruction, last, to == sizeof(double) ? sizeof(float) : sizeof(double)) is { } value
            && SetScalar(cpu, instruction, Bits(value, to), to, isVex);
    }

    // A number that is too large, and what is none, becomes the least one.
    private static bool Truncate(Cpu cpu, in Instruction instruction, int size)
    {
        if (Number(cpu, instruction, 1, size) is not { } value)
        {
            return false;
        }

        bool isLong = Cpu.SizeOf(instruction, 0) == sizeof(long);
        double truncated = Math.Truncate(value);
        ulong result = isLong
            ? truncated is >= long.MinValue and < 9223372036854775808.0 ? (ulong)(long)truncated : 1UL << 63
            : truncated is >= int.MinValue and <= int.MaxValue ? (uint)(int)truncated : 1UL << 31;
        return cpu.Set(instruction, 0, result);
    }

    private static bool ClearUpper(Cpu cpu)
    {
        foreach (ref Vector256<byte> register in cpu.Vectors)
        {
            register = Vector256.Create(register.GetLower(), Vector128<byte>.Zero);
        }

        return true;
    }
}
