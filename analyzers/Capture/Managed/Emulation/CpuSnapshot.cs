using System.Numerics;
using System.Runtime.Intrinsics;
using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>The registers and flags of a moment, and the bytes that have been written since, as they were then.</summary>
internal sealed class CpuSnapshot
{
    private static readonly (RflagsBits Bit, Func<CpuFlags, bool> Value)[] s_flags =
    [
        (RflagsBits.CF, flags => flags.Carry), (RflagsBits.PF, flags => flags.Parity), (RflagsBits.ZF, flags => flags.Zero),
        (RflagsBits.SF, flags => flags.Sign), (RflagsBits.OF, flags => flags.Overflow),
    ];

    private readonly EmulatedMemory _memory;
    private readonly ulong[] _general;
    private readonly Vector256<byte>[] _vectors;
    private readonly CpuFlags _flags;
    private readonly Dictionary<ulong, byte> _overwritten = [];

    public CpuSnapshot(Cpu cpu, EmulatedMemory memory)
    {
        _memory = memory;
        _general = cpu.General.ToArray();
        _vectors = cpu.Vectors.ToArray();
        _flags = new CpuFlags { Bits = cpu.Flags.Bits };
        Rip = cpu.Rip;
        StackPointer = cpu.StackPointer;
    }

    public ulong Rip { get; }

    public ulong StackPointer { get; }

    /// <summary>To be called before bytes are written.</summary>
    public void Keep(ulong address, int size)
    {
        Span<byte> old = stackalloc byte[size];
        if (!_memory.TryRead(address, old))
        {
            return;
        }

        for (int index = 0; index < size; index++)
        {
            _overwritten.TryAdd(address + (ulong)index, old[index]);
        }
    }

    /// <summary>All that decides is as it was.</summary>
    public bool IsAgain(Cpu cpu, Deciding deciding)
    {
        for (ulong left = deciding.Registers; left != 0; left &= left - 1)
        {
            int place = BitOperations.TrailingZeroCount(left);
            bool isSame = place < EmulatedStep.FirstVector ? _general[place] == cpu.General[place]
                : place < EmulatedStep.FirstFlag
                    ? _vectors[place - EmulatedStep.FirstVector] == cpu.Vectors[place - EmulatedStep.FirstVector]
                : IsSameFlag(1UL << (place - EmulatedStep.FirstFlag), cpu.Flags);
            if (!isSame)
            {
                return false;
            }
        }

        return deciding.Memory.All(address => !_overwritten.TryGetValue(address, out byte old) || _memory.Number(address, 1) == old);
    }

    private bool IsSameFlag(ulong bit, CpuFlags now)
        => Array.TrueForAll(s_flags, flag => (ulong)flag.Bit != bit || flag.Value(_flags) == flag.Value(now));
}
