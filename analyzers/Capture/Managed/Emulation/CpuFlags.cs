using System.Numerics;
using Iced.Intel;

namespace HangTriage.Capture.Managed.Emulation;

/// <summary>The flags that branches ask (RFLAGS of x64) and how arithmetic sets them; of numbers of 1, 2, 4 or 8 bytes.</summary>
internal sealed class CpuFlags
{
    private const int BitsOfByte = 8;

    public bool Carry { get; set; }

    public bool Parity { get; set; }

    public bool Zero { get; set; }

    public bool Sign { get; set; }

    public bool Overflow { get; set; }

    /// <summary>As RFLAGS has them.</summary>
    public uint Bits
    {
        get => (Carry ? 1u : 0) | (Parity ? 4u : 0) | (Zero ? 0x40u : 0) | (Sign ? 0x80u : 0) | (Overflow ? 0x800u : 0);
        set
        {
            Carry = (value & 1) != 0;
            Parity = (value & 4) != 0;
            Zero = (value & 0x40) != 0;
            Sign = (value & 0x80) != 0;
            Overflow = (value & 0x800) != 0;
        }
    }

    public static ulong Mask(int size) => size == sizeof(ulong) ? ulong.MaxValue : (1UL << (size * BitsOfByte)) - 1;

    public static ulong SignBit(int size) => 1UL << ((size * BitsOfByte) - 1);

    public ulong Add(ulong left, ulong right, bool carry, int size)
    {
        ulong mask = Mask(size);
        UInt128 whole = (UInt128)(left & mask) + (right & mask) + (carry ? 1u : 0u);
        ulong result = (ulong)whole & mask;
        Carry = whole > mask;
        Overflow = ((left ^ result) & (right ^ result) & SignBit(size)) != 0;
        Result(result, size);
        return result;
    }

    public ulong Subtract(ulong left, ulong right, bool borrow, int size)
    {
        ulong mask = Mask(size);
        ulong result = unchecked(left - right - (borrow ? 1u : 0u)) & mask;
        Carry = (UInt128)(left & mask) < (UInt128)(right & mask) + (borrow ? 1u : 0u);
        Overflow = ((left ^ right) & (left ^ result) & SignBit(size)) != 0;
        Result(result, size);
        return result;
    }

    public ulong Logic(ulong result, int size)
    {
        Carry = Overflow = false;
        Result(result, size);
        return result & Mask(size);
    }

    /// <summary>Zero, sign and parity of a result.</summary>
    public void Result(ulong result, int size)
    {
        result &= Mask(size);
        Zero = result == 0;
        Sign = (result & SignBit(size)) != 0;
        Parity = (BitOperations.PopCount(result & byte.MaxValue) & 1) == 0;
    }

    /// <summary>Of two numbers with a fraction (ucomisd).</summary>
    public void Compare(double left, double right)
    {
        bool isUnordered = double.IsNaN(left) || double.IsNaN(right);
        Zero = isUnordered || left == right;
        Parity = isUnordered;
        Carry = isUnordered || left < right;
        Sign = Overflow = false;
    }

    public bool Holds(ConditionCode code) => code switch
    {
        ConditionCode.o => Overflow,
        ConditionCode.no => !Overflow,
        ConditionCode.b => Carry,
        ConditionCode.ae => !Carry,
        ConditionCode.e => Zero,
        ConditionCode.ne => !Zero,
        ConditionCode.be => Carry || Zero,
        ConditionCode.a => !Carry && !Zero,
        ConditionCode.s => Sign,
        ConditionCode.ns => !Sign,
        ConditionCode.p => Parity,
        ConditionCode.np => !Parity,
        ConditionCode.l => Sign != Overflow,
        ConditionCode.ge => Sign == Overflow,
        ConditionCode.le => Zero || Sign != Overflow,
        ConditionCode.g => !Zero && Sign == Overflow,
        _ => false,
    };
}
