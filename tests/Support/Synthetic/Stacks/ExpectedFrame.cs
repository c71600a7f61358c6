namespace HangTriage.Tests.Support.Synthetic;

/// <summary>What a right unwinder finds for one frame. It comes from running the prologs, not from unwinding them.</summary>
/// <param name="Ip">The instruction pointer of the innermost frame, the return address in the others.</param>
/// <param name="Sp">The stack pointer in this frame.</param>
/// <param name="Function">The function, whether or not anything in the dump names it.</param>
/// <param name="Registers">The general registers in this frame; above the first frame only the nonvolatile ones can be found.</param>
/// <param name="Xmm">The xmm registers in this frame; above the first frame only xmm6 and up can be found.</param>
public sealed record ExpectedFrame(ulong Ip, ulong Sp, SyntheticFunction Function, IReadOnlyList<ulong> Registers, IReadOnlyList<UInt128> Xmm)
{
    /// <summary>The registers that a callee restores.</summary>
    public static IReadOnlyList<Register> NonVolatile { get; } =
    [
        Register.Rbx, Register.Rbp, Register.Rsi, Register.Rdi, Register.R12, Register.R13, Register.R14, Register.R15,
    ];

    public string Module => Function.Image.Name;

    /// <summary>Bytes from the start of the function.</summary>
    public ulong Offset => Ip - Function.Address;

    public override string ToString() => $"0x{Sp:x16} 0x{Ip:x16} {Function}+0x{Offset:x}";
}
