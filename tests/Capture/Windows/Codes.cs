namespace HangTriage.Tests.Capture.Windows;

/// <summary>UNWIND_INFO by hand. Codes are given as in memory: the last instruction of the prolog first.</summary>
internal static class Codes
{
    public const int Rax = 0;
    public const int Rcx = 1;
    public const int Rbx = 3;
    public const int Rbp = 5;
    public const int Rsi = 6;
    public const int Rdi = 7;
    public const int R12 = 12;

    public static byte[] Info(byte prolog, params byte[][] codes) => Full(1, 0, prolog, 0, 0, null, codes);

    public static byte[] Version2(byte prolog, params byte[][] codes) => Full(2, 0, prolog, 0, 0, null, codes);

    /// <summary>With a frame register that lies so many times 16 bytes above the stack pointer.</summary>
    public static byte[] Framed(byte prolog, int register, int scaledOffset, params byte[][] codes)
        => Full(1, 0, prolog, register, scaledOffset, null, codes);

    public static byte[] Chained(byte prolog, byte[] parent, params byte[][] codes) => Full(1, 4, prolog, 0, 0, parent, codes);

    public static byte[] Push(byte at, int register) => [at, (byte)(register << 4)];

    public static byte[] AllocSmall(byte at, int bytes) => [at, (byte)(2 | (((bytes / 8) - 1) << 4))];

    public static byte[] AllocLarge16(byte at, int bytes) => [at, 1, (byte)(bytes / 8), (byte)(bytes / 8 >> 8)];

    public static byte[] AllocLarge32(byte at, int bytes) => [at, 0x11, (byte)bytes, (byte)(bytes >> 8), (byte)(bytes >> 16), (byte)(bytes >> 24)];

    public static byte[] SetFrame(byte at) => [at, 3];

    public static byte[] Save(byte at, int register, int offset) => [at, (byte)(4 | (register << 4)), (byte)(offset / 8), (byte)(offset / 8 >> 8)];

    public static byte[] SaveFar(byte at, int register, int offset)
        => [at, (byte)(5 | (register << 4)), (byte)offset, (byte)(offset >> 8), (byte)(offset >> 16), (byte)(offset >> 24)];

    public static byte[] SaveXmm(byte at) => [at, 0x68, 2, 0];

    public static byte[] SaveXmmFar(byte at) => [at, 0x69, 0, 0, 1, 0];

    public static byte[] MachineFrame(bool hasErrorCode) => [0, (byte)(hasErrorCode ? 0x1A : 0x0A)];

    /// <summary>Two slots of version 2: the epilogs' size, and where one lies before the function's end; 0 pads.</summary>
    public static byte[] Epilogs(byte size, bool lastIsAtEnd, int fromEnd) => [size, (byte)(lastIsAtEnd ? 0x16 : 0x06), (byte)fromEnd, (byte)(6 | (fromEnd >> 8 << 4))];

    private static byte[] Full(int version, int flags, byte prolog, int frame, int frameOffset, byte[]? parent, byte[][] codes)
    {
        List<byte> bytes = [(byte)(version | (flags << 3)), prolog, 0, (byte)(frame | (frameOffset << 4))];
        foreach (byte[] code in codes)
        {
            bytes.AddRange(code);
        }

        bytes[2] = (byte)((bytes.Count - 4) / 2);
        if (parent is not null)
        {
            while (bytes.Count % 4 != 0)
            {
                bytes.Add(0);
            }

            bytes.AddRange(parent);
        }

        return [.. bytes];
    }
}
