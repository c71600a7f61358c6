using System.Collections.Frozen;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// The calls on top of a stack through which a thread blocks in a primitive of System.Threading, or spins before it does,
/// innermost first.
/// </summary>
/// <param name="Primitive">The full name of the outermost type of them: the one that the program called.</param>
/// <param name="Frames">The frames of that type's methods.</param>
/// <param name="Method">The outermost method, for texts.</param>
/// <param name="IsForever">The program called an overload without a time-out and without a cancellation token.</param>
internal sealed record BlockedCall(string Primitive, IReadOnlyList<ClrStackFrame> Frames, string Method, bool IsForever)
{
    public const string WaitHandle = "System.Threading.WaitHandle";
    public const string Thread = "System.Threading.Thread";
    public const string SemaphoreSlim = "System.Threading.SemaphoreSlim";
    public const string ReaderWriterLockSlim = "System.Threading.ReaderWriterLockSlim";
    public const string ManualResetEventSlim = "System.Threading.ManualResetEventSlim";
    public const string CountdownEvent = "System.Threading.CountdownEvent";
    public const string Barrier = "System.Threading.Barrier";

    private const string Monitor = "System.Threading.Monitor";

    // Made of a WaitHandle, and recorded by the runtime.
    private const string Lock = "System.Threading.Lock";
    private const int FramesToLookAt = 48;

    private static readonly FrozenSet<string> s_primitives =
        new[] { WaitHandle, Thread, SemaphoreSlim, ReaderWriterLockSlim, ManualResetEventSlim, CountdownEvent, Barrier }.ToFrozenSet(StringComparer.Ordinal);

    // What lies between a primitive and the wait that it is made of: SemaphoreSlim.Wait waits for a task where others wait by await.
    private static readonly string[] s_between =
    [
        Monitor, Lock, "System.Threading.SynchronizationContext", "System.Threading.Tasks.Task", "System.Runtime.CompilerServices.TaskAwaiter",
    ];

    /// <summary>Null where the thread blocks in none, or in a plain Monitor or for a task, which others resolve.</summary>
    public static BlockedCall? Of(ClrThread thread)
    {
        // The runtime's own frames name the method that blocks (up to .NET 9), or the stub of a call into native code.
        ClrStackFrame[] innermost =
        [
            .. thread.EnumerateStackTrace(includeContext: false, maxFrames: FramesToLookAt)
                .Where(frame => frame.Method is not null && (frame.Kind == ClrStackFrameKind.ManagedMethod || Blocks(frame))),
        ];
        // Most primitives spin before they block, and Barrier does so again and again.
        int spins = innermost.TakeWhile(Spins).Count();
        ClrStackFrame[] calls = [.. innermost.Skip(spins).TakeWhile(IsPart)];
        return calls.Length > 0 && (spins > 0 || Blocks(calls[0])) && !calls.Any(frame => TypeOf(frame) == Lock) && TypeOf(calls[^1]) is { } primitive && s_primitives.Contains(primitive)
            ? new BlockedCall(
                primitive,
                [.. calls.Where(frame => TypeOf(frame) == primitive)],
                ManagedStack.MethodName(calls[^1].Method)!,
                calls[^1].Method!.Signature?.EndsWith("()", StringComparison.Ordinal) == true)
            : null;
    }

    /// <summary>The frame, which has a method, belongs to the yields and sleeps between two tries.</summary>
    public static bool Spins(ClrStackFrame frame) => TypeOf(frame) is Thread or "System.Threading.SpinWait" && !Blocks(frame);

    private static bool Blocks(ClrStackFrame frame) => (TypeOf(frame), frame.Method!.Name) switch
    {
        (Monitor, "Wait" or "ObjWait") => true,
        (WaitHandle, "WaitOneNoCheck" or "WaitOneCore" or "WaitOne" or "WaitMultiple" or "WaitMultipleIgnoringSyncContext") => true,
        (Thread, "Join" or "JoinInternal") => true,
        _ => false,
    };

    private static bool IsPart(ClrStackFrame frame)
        => TypeOf(frame) is { } type && (s_primitives.Contains(type) || s_between.Any(name => type == name || type.StartsWith(name + "<", StringComparison.Ordinal)));

    private static string? TypeOf(ClrStackFrame frame) => frame.Method!.Type?.Name;
}
