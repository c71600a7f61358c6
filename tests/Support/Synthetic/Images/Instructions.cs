namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The few x64 instructions that prologs, epilogs and calls consist of.</summary>
internal static class Instructions
{
    public static readonly byte[] Return = [0xC3];

    public static byte[] Push(Register register) => OneByte(0x50, register);

    public static byte[] Pop(Register register) => OneByte(0x58, register);

    /// <summary>sub rsp, size</summary>
    public static byte[] Allocate(uint size) => Immediate(0xEC, size);

    /// <summary>add rsp, size</summary>
    public static byte[] Free(uint size) => Immediate(0xC4, size);

    /// <summary>mov [at+offset], register</summary>
    public static byte[] Store(Register register, Register at, int offset) => WithMemory([0x89], true, (int)register, at, offset);

    /// <summary>mov register, [at+offset]</summary>
    public static byte[] Load(Register register, Register at, int offset) => WithMemory([0x8B], true, (int)register, at, offset);

    /// <summary>lea register, [at+offset]</summary>
    public static byte[] AddressOf(Register register, Register at, int offset) => WithMemory([0x8D], true, (int)register, at, offset);

    /// <summary>movaps [at+offset], xmm</summary>
    public static byte[] StoreXmm(int xmm, Register at, int offset) => WithMemory([0x0F, 0x29], false, xmm, at, offset);

    /// <summary>movaps xmm, [at+offset]</summary>
    public static byte[] LoadXmm(int xmm, Register at, int offset) => WithMemory([0x0F, 0x28], false, xmm, at, offset);

    /// <summary>A call that ends at <paramref name="next"/>; one through memory where the target is too far away.</summary>
    public static byte[] Call(ulong next, ulong target)
    {
        long distance = (long)(target - next);
        return distance == (int)distance
            ? [0xE8, .. BitConverter.GetBytes((int)distance)]
            : [0xFF, 0x15, 0, 0, 0, 0];
    }

    /// <summary>A jump that ends at <paramref name="next"/>.</summary>
    public static byte[] Jump(ulong next, ulong target) => [0xE9, .. BitConverter.GetBytes((int)(target - next))];

    /// <summary>mov r10, rcx; mov eax, number; test [SharedUserData], 1; jne; syscall; ret; int 2e; ret</summary>
    public static byte[] SystemCall(uint number)
        => [0x4C, 0x8B, 0xD1, 0xB8, .. BitConverter.GetBytes(number), 0xF6, 0x04, 0x25, 0x08, 0x03, 0xFE, 0x7F, 0x01, 0x75, 0x03, 0x0F, 0x05, 0xC3, 0xCD, 0x2E, 0xC3];

    private static byte[] OneByte(byte opcode, Register register)
    {
        byte instruction = (byte)(opcode + ((int)register & 7));
        return (int)register < 8 ? [instruction] : [0x41, instruction];
    }

    private static byte[] Immediate(byte operation, uint size)
        => size < 0x80
            ? [0x48, 0x83, operation, (byte)size]
            : [0x48, 0x81, operation, .. BitConverter.GetBytes(size)];

    private static byte[] WithMemory(byte[] opcode, bool wide, int register, Register at, int offset)
    {
        int rex = 0x40 | (wide ? 8 : 0) | (register >= 8 ? 4 : 0) | ((int)at >= 8 ? 1 : 0);
        bool isShort = offset is >= sbyte.MinValue and <= sbyte.MaxValue;
        int modrm = (isShort ? 0x40 : 0x80) | ((register & 7) << 3) | ((int)at & 7);
        byte[] prefix = rex == 0x40 ? [] : [(byte)rex];
        byte[] scaled = ((int)at & 7) == (int)Register.Rsp ? [0x24] : [];
        byte[] displacement = isShort ? [(byte)offset] : BitConverter.GetBytes(offset);
        return [.. prefix, .. opcode, (byte)modrm, .. scaled, .. displacement];
    }
}
