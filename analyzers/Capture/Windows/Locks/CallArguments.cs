using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// The first two arguments of the system call that a thread is in. On x64 they are in registers that need not survive;
/// Windows 10 1709 and later were seen to leave them as they were (rcx, rdx), with the call's number in rax. On x86 they lie
/// above the return address that the call's stub leads to.
/// </summary>
internal static class CallArguments
{
    private const int Rax = 0;
    private const int Rcx = 1;
    private const int Rdx = 2;

    /// <param name="context">Memory and layout.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="number">The number of the call: a source that gives rax as it was gives the other registers too.</param>
    /// <param name="first">The first argument.</param>
    /// <param name="second">The second argument; not an argument where the call has one alone.</param>
    public static bool TryRead(LockContext context, ThreadView thread, Known<uint> number, out ulong first, out ulong second)
    {
        (first, second) = (0, 0);
        if (context.Layout.PointerSize == sizeof(uint))
        {
            return TryReadOnStack(context, thread, 0, out first) && TryReadOnStack(context, thread, 1, out second);
        }

        return thread.Registers is [var registers, ..]
            && number.TryGet(out uint called) && registers.TryGet(Rax, out ulong rax) && rax == called
            && registers.TryGet(Rcx, out first) && registers.TryGet(Rdx, out second);
    }

    /// <summary>An argument of an x86 system call, the first being 0.</summary>
    public static bool TryReadOnStack(LockContext context, ThreadView thread, int index, out ulong value)
    {
        uint word = 0;
        bool isThere = thread.Frames is [_, { Trust: Trust.Derived } caller, ..]
            && context.Memory.TryReadUInt32(caller.Sp.Value + ((ulong)index * sizeof(uint)), out word);
        value = word;
        return isThere;
    }
}
