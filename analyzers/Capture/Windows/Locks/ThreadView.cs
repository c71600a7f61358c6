using HangTriage.Capture.Windows.Loader;
using HangTriage.Capture.Windows.Unwind;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>A thread as the readers of waits look at it.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Block">Its environment block; null where that is not there.</param>
/// <param name="Stack">Its stack.</param>
/// <param name="Registers">The registers of the innermost frames of an x64 stack, as far as they were kept.</param>
internal sealed record ThreadView(
    WindowsThread Thread, ThreadBlock? Block, StackFacts Stack, IReadOnlyList<X64Registers> Registers)
{
    public ThreadId Id => new(Thread.Id);

    public IReadOnlyList<FrameFacts> Frames => Stack.Frames;

    /// <summary>Where the thread's stack lies: by its environment block, else by what the source lists of it.</summary>
    public StackBounds Bounds
        => Block is not null && Block.Stack.IsBaseKnown ? Block.Stack
            : Thread.Stack is { } listed ? new StackBounds(listed.Start, listed.End, false)
            : new StackBounds(0, 0, false);
}
