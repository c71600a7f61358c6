using Iced.Intel;

namespace HangTriage.Capture.Managed.Rounds;

/// <summary>Where the variables of a frame are: in registers and in words of the stack.</summary>
/// <param name="Rbp">What the register held.</param>
/// <param name="Rsp">What the register holds.</param>
/// <param name="ByRbp">Variables are found from rbp on, too.</param>
/// <param name="IsWindows">The target's calls keep the registers that Windows keeps.</param>
internal sealed record MachineFrame(ulong Rbp, ulong Rsp, bool ByRbp, bool IsWindows)
{
    public const int Word = sizeof(int);

    /// <summary>Behind the general registers.</summary>
    public const long Vector = 16;

    public const long Flags = 32;

    /// <summary>Slots of the stack begin here: by their address in words.</summary>
    public const long Slot = 64;

    private const int Registers = 16;

    // By the numbers of instructions: rbx, rbp, rsp, r12 to r15.
    private static readonly long[] s_kept = [3, 4, 5, 12, 13, 14, 15];
    private static readonly long[] s_keptWindows = [.. s_kept, 6, 7, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31];

    // rdi, rsi, rdx, rcx, r8, r9 and xmm0 to xmm7; on Windows rcx, rdx, r8, r9 and xmm0 to xmm3.
    private static readonly long[] s_handed = [7, 6, 2, 1, 8, 9, 16, 17, 18, 19, 20, 21, 22, 23];
    private static readonly long[] s_handedWindows = [1, 2, 8, 9, 16, 17, 18, 19];

    /// <summary>Registers that a called method may use for what it likes.</summary>
    public IEnumerable<long> Lost
        => Enumerable.Range(0, 2 * Registers).Select(number => (long)number).Except(IsWindows ? s_keptWindows : s_kept);

    public IReadOnlyList<long> Handed => IsWindows ? s_handedWindows : s_handed;

    public static bool IsSlot(long place) => place >= Slot;

    public static ulong AddressOf(long slot) => (ulong)(slot - Slot) * Word;

    public bool IsKept(long register) => Array.IndexOf(IsWindows ? s_keptWindows : s_kept, register) >= 0;

    /// <summary>Null for one that no variable is kept in, as rip.</summary>
    public static long? Of(Register register)
        => register.IsVectorRegister() ? Vector + register.GetNumber() is var vector && vector < Flags ? vector : null
            : register.IsGPR() ? register.GetFullRegister().GetNumber()
            : null;

    /// <summary>The memory is found from the frame's own registers on.</summary>
    public bool IsOwn(Register start) => start == Register.RSP || (ByRbp && start == Register.RBP);

    public ulong Place(Register start, ulong displacement) => unchecked((start == Register.RSP ? Rsp : Rbp) + displacement);

    public static IEnumerable<long> Words(ulong address, int bytes)
    {
        for (ulong word = address / Word; word <= (address + (ulong)Math.Max(bytes, 1) - 1) / Word; word++)
        {
            yield return Slot + (long)word;
        }
    }
}
