using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// The calls on top of a stack through which a thread blocks in a primitive of System.Threading, or spins before it does,
/// innermost first.
/// </summary>
/// <param name="Primitive">The full name of the outermost type of them: the one that the program called.</param>
/// <param name="Frames">The frames of that type's methods.</param>
/// <param name="Method">The outermost method, for texts.</param>
/// <param name="IsForever">The program called an overload without a timeout and without a cancellation token.</param>
internal sealed record BlockedCall(string Primitive, IReadOnlyList<ClrStackFrame> Frames, string Method, bool IsForever)
{
    /// <summary>
    /// The method that made the call; in optimised code the call's own methods can be compiled into it, and it holds what they wait for.
    /// </summary>
    public ClrStackFrame? Caller { get; private init; }

    private const int FramesToLookAt = Thresholds.FramesOfPrimitive;

    /// <summary>Null where the thread blocks in none, or in a plain Monitor or for a task, which others resolve.</summary>
    public static BlockedCall? Of(IEnumerable<ClrStackFrame> stack)
    {
        // The runtime's own frames name the method that blocks (up to .NET 9), or the stub of a call into native code.
        ClrStackFrame[] innermost =
        [
            .. stack.Take(FramesToLookAt)
                .Where(frame => frame.Method is not null && !IsStub(frame)
                    && (frame.Kind == ClrStackFrameKind.ManagedMethod || Blocks(frame))),
        ];
        // Most primitives spin before they block, and Barrier does so again and again.
        int spins = innermost.TakeWhile(Spins).Count();
        ClrStackFrame[] calls = [.. innermost.Skip(spins).TakeWhile(IsPart)];
        return calls.Length > 0 && (spins > 0 || Blocks(calls[0])) && !calls.Any(frame => TypeOf(frame) == DotNetTypes.Lock) && TypeOf(calls[^1]) is { } primitive && DotNetTypes.IsPrimitive(primitive)
            ? new BlockedCall(
                primitive,
                [.. calls.Where(frame => TypeOf(frame) == primitive)],
                ManagedStack.MethodName(calls[^1].Method)!,
                calls[^1].Method!.Signature?.EndsWith("()", StringComparison.Ordinal) == true)
            {
                Caller = innermost.Skip(spins + calls.Length).FirstOrDefault(frame => frame.Kind == ClrStackFrameKind.ManagedMethod),
            }
            : null;
    }

    /// <summary>The frame, which has a method, belongs to the yields and sleeps between two tries.</summary>
    public static bool Spins(ClrStackFrame frame) => DotNetTypes.Pauses(TypeOf(frame)) && !Blocks(frame);

    // What the compiler makes for a call into native code stands between that and the method that made the call, also within a primitive
    // whose inner calls were compiled into it: Monitor's native part, stub, SemaphoreSlim.WaitCore (tier 1 of .NET 10).
    private static bool IsStub(ClrStackFrame frame) => ManagedStack.IsStub(frame.Method);

    private static bool Blocks(ClrStackFrame frame)
        => DotNetCalls.Table.Find(TypeOf(frame), frame.Method!.Name)?.Meaning == CallMeaning.WaitsForObject;

    // A thread begins in a method of Thread, too, which can be next where a delegate is all that the thread runs.
    private static bool IsPart(ClrStackFrame frame)
        => TypeOf(frame) is { } type
            && (type == DotNetTypes.Thread ? Blocks(frame) : DotNetTypes.IsPrimitive(type) || DotNetTypes.IsPartOfPrimitive(type));

    private static string? TypeOf(ClrStackFrame frame) => frame.Method!.Type?.Name;
}
