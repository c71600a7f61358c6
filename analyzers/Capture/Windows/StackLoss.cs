using HangTriage.Facts;

namespace HangTriage.Capture.Windows;

/// <summary>A thread's stack that is lost. Every dump of Windows has the stacks of its threads, be it as small as it may.</summary>
internal static class StackLoss
{
    private const string What = "stack";

    /// <param name="memory">The target's.</param>
    /// <param name="pointerSize">Bytes of a word.</param>
    /// <param name="stack">What was found of the stack.</param>
    /// <param name="isInSystemCall">On top of a 64-bit stack lies the address that the stub of the call returns to.</param>
    public static Gap? Of(TargetMemory memory, int pointerSize, StackFacts stack, bool isInSystemCall)
        => stack.Frames is not [FrameFacts top, ..] ? null
            : !memory.TryReadPointer(top.Sp.Value, pointerSize, out ulong word)
                ? new Gap(What, $"its memory at {top.Sp} {memory.Absent}") { IsLoss = true }
            : isInSystemCall && pointerSize == sizeof(ulong) && word == 0
                ? new Gap(What, $"the thread is in a system call, and its stack at {top.Sp} has no address to return to: the memory was lost") { IsLoss = true }
            : null;
}
