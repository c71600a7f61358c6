using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>The registers of an emulated thread (x64), and its view of operands.</summary>
internal sealed class Cpu(EmulatedMemory memory)
{
    private const int Rsp = 4;
    private const int Wide = 32;

    private readonly ulong[] _general = new ulong[16];
    private readonly Vector256<byte>[] _vectors = new Vector256<byte>[16];
    private readonly List<MemoryAccess> _accesses = [];

    public ulong Rip { get; set; }

    public CpuFlags Flags { get; } = new();

    public Span<ulong> General => _general;

    public Span<Vector256<byte>> Vectors => _vectors;

    /// <summary>What the last instruction has read and written of memory, in order.</summary>
    public IReadOnlyList<MemoryAccess> Accesses => _accesses;

    /// <summary>Is told of each place before it is written.</summary>
    public Action<ulong, int>? BeforeStore { get; set; }

    public ulong StackPointer => _general[Rsp];

    /// <summary>
    /// Runs one instruction; false where it is none of those that are known, or memory is missing: the state is then of no use.
    /// </summary>
    public bool Run(in Instruction instruction)
    {
        _accesses.Clear();
        Rip = instruction.NextIP;
        return IntegerInstructions.Run(this, instruction) ?? VectorInstructions.Run(this, instruction) ?? false;
    }

    public static int SizeOf(in Instruction instruction, int operand)
        => instruction.GetOpKind(operand) == OpKind.Register ? instruction.GetOpRegister(operand).GetSize()
            : instruction.GetOpKind(operand) == OpKind.Memory ? instruction.MemorySize.GetSize()
            : 0;

    /// <summary>A number of up to eight bytes; of a vector register its lowest. Null where it cannot be read.</summary>
    public ulong? Get(in Instruction instruction, int operand, int? bytes = null)
    {
        switch (instruction.GetOpKind(operand))
        {
            case OpKind.Register:
                Register register = instruction.GetOpRegister(operand);
                return register.IsGPR() ? Register(register)
                    : register.IsVectorRegister() && register.GetNumber() < _vectors.Length
                        ? _vectors[register.GetNumber()].AsUInt64()[0] & CpuFlags.Mask(Math.Min(bytes ?? sizeof(ulong), sizeof(ulong)))
                    : null;
            case OpKind.Memory:
                int size = bytes ?? instruction.MemorySize.GetSize();
                return size is > 0 and <= sizeof(ulong) && AddressOf(instruction, operand) is { } address ? Load(address, size) : null;
            case >= OpKind.Immediate8 and <= OpKind.Immediate32to64:
                return instruction.GetImmediate(operand);
            default:
                return null;
        }
    }

    public bool Set(in Instruction instruction, int operand, ulong value)
    {
        if (instruction.GetOpKind(operand) == OpKind.Memory)
        {
            return instruction.MemorySize.GetSize() is > 0 and <= sizeof(ulong) and var size
                && AddressOf(instruction, operand) is { } address && Store(address, value, size);
        }

        if (instruction.GetOpKind(operand) != OpKind.Register || !instruction.GetOpRegister(operand).IsGPR())
        {
            return false;
        }

        SetRegister(instruction.GetOpRegister(operand), value);
        return true;
    }

    /// <summary>The whole of a vector register or of what stands in memory, and zeros behind it.</summary>
    public Vector256<byte>? GetVector(in Instruction instruction, int operand)
    {
        if (instruction.GetOpKind(operand) == OpKind.Register)
        {
            Register register = instruction.GetOpRegister(operand);
            return !register.IsVectorRegister() || register.GetNumber() >= _vectors.Length || register.IsZMM() ? null
                : register.IsYMM() ? _vectors[register.GetNumber()]
                : Vector256.Create(_vectors[register.GetNumber()].GetLower(), Vector128<byte>.Zero);
        }

        int size = instruction.MemorySize.GetSize();
        Span<byte> bytes = stackalloc byte[Wide];
        bytes.Clear();
        return size is > 0 and <= Wide && AddressOf(instruction, operand) is { } address && Load(address, bytes[..size])
            ? Vector256.Create<byte>(bytes) : null;
    }

    /// <param name="instruction">The instruction.</param>
    /// <param name="operand">A vector register or memory.</param>
    /// <param name="value">What is written.</param>
    /// <param name="clears">What is behind it in the register is cleared (VEX).</param>
    public bool SetVector(in Instruction instruction, int operand, Vector256<byte> value, bool clears)
    {
        if (instruction.GetOpKind(operand) == OpKind.Memory)
        {
            int size = instruction.MemorySize.GetSize();
            Span<byte> bytes = stackalloc byte[Wide];
            value.CopyTo(bytes);
            return size is > 0 and <= Wide && AddressOf(instruction, operand) is { } address && Store(address, bytes[..size]);
        }

        Register register = instruction.GetOpRegister(operand);
        if (!register.IsVectorRegister() || register.IsZMM() || register.GetNumber() >= _vectors.Length)
        {
            return false;
        }

        ref Vector256<byte> place = ref _vectors[register.GetNumber()];
        place = register.IsYMM() || clears ? value : Vector256.Create(value.GetLower(), place.GetUpper());
        return true;
    }

    public ulong Register(Register register)
    {
        ulong whole = _general[register.GetFullRegister().GetNumber()];
        return IsHigh(register) ? (whole >> 8) & byte.MaxValue : whole & CpuFlags.Mask(register.GetSize());
    }

    // What is written of 32 bits clears the others.
    public void SetRegister(Register register, ulong value)
    {
        ref ulong whole = ref _general[register.GetFullRegister().GetNumber()];
        whole = register.GetSize() switch
        {
            sizeof(ulong) => value,
            sizeof(uint) => (uint)value,
            sizeof(ushort) => (whole & ~0xFFFFUL) | (ushort)value,
            _ => IsHigh(register) ? (whole & ~0xFF00UL) | ((value & byte.MaxValue) << 8) : (whole & ~0xFFUL) | (byte)value,
        };
    }

    /// <summary>Null where it hangs on what is not known, as a thread's own memory.</summary>
    public ulong? AddressOf(in Instruction instruction, int operand)
        => instruction.SegmentPrefix is Iced.Intel.Register.FS or Iced.Intel.Register.GS ? null
            : instruction.TryGetVirtualAddress(operand, 0, out ulong address, TryGetValue) ? address : null;

    public bool Push(ulong value)
    {
        _general[Rsp] -= sizeof(ulong);
        return Store(_general[Rsp], value, sizeof(ulong));
    }

    public ulong? Pop()
    {
        ulong? value = Load(_general[Rsp], sizeof(ulong));
        _general[Rsp] += sizeof(ulong);
        return value;
    }

    private static bool IsHigh(Register register) => register is >= Iced.Intel.Register.AH and <= Iced.Intel.Register.BH;

    private bool TryGetValue(Register register, int element, int size, out ulong value)
    {
        // The bases of segments are zero in code of 64 bits.
        value = register.IsGPR() ? Register(register) : 0;
        return register.IsGPR() || register.IsSegmentRegister();
    }

    private ulong? Load(ulong address, int size)
    {
        _accesses.Add(new MemoryAccess(address, size, IsWrite: false));
        return memory.Number(address, size);
    }

    private bool Load(ulong address, Span<byte> bytes)
    {
        _accesses.Add(new MemoryAccess(address, bytes.Length, IsWrite: false));
        return memory.TryRead(address, bytes);
    }

    private bool Store(ulong address, ulong value, int size)
        => Store(address, MemoryMarshal.AsBytes(new ReadOnlySpan<ulong>(in value))[..size]);

    private bool Store(ulong address, ReadOnlySpan<byte> bytes)
    {
        _accesses.Add(new MemoryAccess(address, bytes.Length, IsWrite: true));
        BeforeStore?.Invoke(address, bytes.Length);
        return memory.TryWrite(address, bytes);
    }
}
