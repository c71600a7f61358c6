using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>A thread's frames, innermost first, and the objects that each holds.</summary>
internal sealed class ThreadStack
{
    private readonly Dictionary<(ulong Sp, ulong Ip), List<ClrObject>> _roots = [];

    private ThreadStack(ClrThread thread, IReadOnlyList<ClrStackFrame> frames)
    {
        Thread = thread;
        Frames = frames;
    }

    public ClrThread Thread { get; }

    public IReadOnlyList<ClrStackFrame> Frames { get; }

    /// <summary>Their methods, without the stubs that stand for calls into native code, on top in optimised code.</summary>
    public IEnumerable<ClrMethod> Methods
        => Frames.Select(frame => frame.Method).OfType<ClrMethod>().Where(method => !ManagedStack.IsStub(method));

    /// <summary>Everything that the stack holds, in frames or not.</summary>
    public HashSet<ulong> Roots { get; } = [];

    public static ThreadStack Read(ClrThread thread, ThreadFrames walked, CaptureContext context)
    {
        context.Step();
        ThreadStack stack = new(thread, [.. walked.Of(thread).Take(context.Limits.FramesPerThread)]);
        foreach (HeldObject root in StackRoots.Of(thread))
        {
            context.Step();
            stack.Roots.Add(root.Object.Address);
            if (root.Frame is { } frame)
            {
                (ulong, ulong) key = (frame.StackPointer, frame.InstructionPointer);
                if (!stack._roots.TryGetValue(key, out List<ClrObject>? objects))
                {
                    stack._roots.Add(key, objects = []);
                }

                objects.Add(root.Object);
            }
        }

        stack.Roots.UnionWith(StackRoots.BetweenCalls(thread, stack.Frames).Select(found => found.Address));
        return stack;
    }

    public IEnumerable<ClrObject> RootsOf(ClrStackFrame frame)
        => _roots.TryGetValue((frame.StackPointer, frame.InstructionPointer), out List<ClrObject>? objects)
            ? objects.Where(root => !root.IsNull && root.Type is not null).DistinctBy(root => root.Address)
            : [];
}
