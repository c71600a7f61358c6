using System.Buffers.Binary;
using HangTriage.Capture.Windows.Unwind;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// Collects the words from which the lock can be told that a thread waits for: the registers that calls preserve, in
/// each frame from the system call up to the caller of the lock function, and the stack words between the two.
/// </summary>
internal static class WaitClues
{
    private const int MaxWords = 4_096;

    // The caller's space for the four register arguments of x64; where an x86 caller pushes its arguments.
    private const int ArgumentWords = 4;

    private static readonly (int Number, string Name)[] s_preserved =
        [(3, "rbx"), (5, "rbp"), (6, "rsi"), (7, "rdi"), (12, "r12"), (13, "r13"), (14, "r14"), (15, "r15")];

    /// <param name="context">Memory and layout.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="entry">The lock function's place in its stack.</param>
    public static IReadOnlyList<Clue> Collect(LockContext context, ThreadView thread, int entry)
    {
        List<Clue> clues = [];
        int last = Math.Min(entry + 1, thread.Frames.Count - 1);
        for (int i = 0; i <= last && i < thread.Registers.Count; i++)
        {
            AddRegisters(thread.Registers[i], thread.Frames[i], clues);
        }

        AddWords(context, thread, entry, clues);
        return clues;
    }

    private static void AddRegisters(X64Registers registers, FrameFacts frame, List<Clue> clues)
    {
        foreach ((int number, string name) in s_preserved)
        {
            if (registers.TryGet(number, out ulong value) && !clues.Exists(clue => clue.Value == value))
            {
                clues.Add(new Clue(value, $"register {name} of {frame.Method ?? frame.Module ?? "its caller"}", frame.Trust != Trust.Scanned, false));
            }
        }
    }

    private static void AddWords(LockContext context, ThreadView thread, int entry, List<Clue> clues)
    {
        int size = context.Layout.PointerSize;
        ulong start = thread.Frames[0].Sp.Value & ~(ulong)(size - 1);
        ulong callerSp = thread.Frames[Math.Min(entry + 1, thread.Frames.Count - 1)].Sp.Value;
        ulong words = callerSp < start ? 0 : ((callerSp - start) / (ulong)size) + ArgumentWords;
        byte[] bytes = new byte[context.Budget.Take((int)Math.Min(words, MaxWords)) * size];
        int read = context.Memory.Read(start, bytes);
        for (int at = 0; at + size <= read; at += size)
        {
            ulong value = Word(bytes, at, size);
            bool isBlock = at + (2 * size) <= read && unchecked((uint)Word(bytes, at + size, size)) == thread.Id.Value;
            clues.Add(new Clue(value, $"stack at {new Address(start + (ulong)at)}", false, isBlock));
        }
    }

    private static ulong Word(byte[] bytes, int at, int size)
        => size == sizeof(ulong)
            ? BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(at))
            : BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at));
}
