using System.Buffers.Binary;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>The integer registers of one frame, and which of them are known.</summary>
internal struct X64Registers
{
    public const int RspNumber = 4;

    /// <summary>The part of CONTEXT that is needed: up to and with Rip.</summary>
    public const int ContextSize = 0x100;

    private const int FlagsOffset = 0x30;
    private const int RaxOffset = 0x78;
    private const int RipOffset = 0xF8;
    private const uint Amd64 = 0x100000;
    private const uint HasControl = Amd64 | 1;
    private const uint HasIntegers = Amd64 | 2;
    private const ushort All = 0xFFFF;

    private RegisterFile _values;
    private ushort _known;

    public ulong Rip { get; set; }

    public ulong Rsp
    {
        readonly get => _values[RspNumber];
        set => _values[RspNumber] = value;
    }

    /// <summary>Reads a CONTEXT of winnt.h for x64; false where it is too short or has no stack and instruction pointer.</summary>
    public static bool TryParse(ReadOnlySpan<byte> context, out X64Registers registers)
    {
        registers = default;
        if (context.Length < ContextSize)
        {
            return false;
        }

        uint flags = BinaryPrimitives.ReadUInt32LittleEndian(context[FlagsOffset..]);
        if ((flags & HasControl) != HasControl)
        {
            return false;
        }

        for (int i = 0; i < 16; i++)
        {
            registers._values[i] = BinaryPrimitives.ReadUInt64LittleEndian(context[(RaxOffset + (i * sizeof(ulong)))..]);
        }

        registers._known = (flags & HasIntegers) == HasIntegers ? All : (ushort)0;
        registers.Rip = BinaryPrimitives.ReadUInt64LittleEndian(context[RipOffset..]);
        return true;
    }

    /// <summary>The registers of a frame of which only these two are known.</summary>
    public static X64Registers Guessed(ulong rip, ulong rsp) => new() { Rip = rip, Rsp = rsp };

    public readonly bool TryGet(int number, out ulong value)
    {
        value = _values[number];
        return number == RspNumber || (_known >> number & 1) != 0;
    }

    public void Set(int number, ulong value)
    {
        _values[number] = value;
        _known = (ushort)(_known | (1 << number));
    }
}
