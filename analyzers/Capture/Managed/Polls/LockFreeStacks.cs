using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Finds threads that wait for work and whose stacks have no method that takes a lock or gives one back: a lock that such a thread
/// holds was taken by a call that has returned.
/// </summary>
internal sealed class LockFreeStacks(IlModules modules, ThreadFrames walked)
{
    private const int MostFrames = 64;

    // What a thread or a worker begins with.
    private static readonly string[] s_begins =
    [
        "System.Threading.Thread", "System.Threading.ExecutionContext", "System.Threading.Tasks.", "System.Threading.PortableThreadPool",
        "System.Runtime.CompilerServices.",
    ];

    private static readonly string[] s_takes = ["Enter", "EnterScope", "EnterReadLock", "EnterWriteLock", "EnterUpgradeableReadLock"];

    /// <summary>False as well where some method's code is not in the input.</summary>
    public bool Has(ClrThread thread)
    {
        ClrStackFrame[] frames =
            [.. walked.Of(thread).Where(frame => frame is { Kind: ClrStackFrameKind.ManagedMethod, Method: not null }).Take(MostFrames)];
        ClrStackFrame[] below = [.. frames.SkipWhile(frame => IsOfFramework(frame.Method!))];
        return below.Length > 0 && frames.Length < MostFrames
            && frames.TakeWhile(frame => IsOfFramework(frame.Method!))
                .Any(frame => IdleCalls.Find($"{frame.Method!.Type?.Name}.{frame.Method.Name}")?.IsForWork == true)
            && Array.TrueForAll(below, frame => IsOfFramework(frame.Method!) ? Begins(frame.Method!) : IsFree(frame));
    }

    private static bool IsOfFramework(ClrMethod method) => Frameworks.IsOwn(method.Type?.Name ?? string.Empty);

    private static bool Begins(ClrMethod method)
        => Array.Exists(s_begins, start => method.Type?.Name?.StartsWith(start, StringComparison.Ordinal) == true);

    private bool IsFree(ClrStackFrame frame)
        => frame.Method is { } method
            && modules.Of(method) is { } module && module.Body(method.MetadataToken) is { Count: > 0 } body
            && !body.Any(instruction => instruction.IsCall && module.Names.Member(instruction.Operand) is { } called && UsesLock(called))
            && SourceLines.IlOffset(method, frame.InstructionPointer - 1) is { } place
            && module.Clauses(method.MetadataToken).Where(clause => clause.IsFinally && clause.Protects(place)).ToArray() is var around
            && (around.Length == 0 || (around is [var only] && IsOfWalk(module, body, only)));

    // Any other block could give back what its method was given: using (gate.Acquire()).
    private static bool IsOfWalk(IlModule module, IReadOnlyList<IlInstruction> body, IlClause clause)
        => body.Any(instruction => instruction.IsCall && clause.Protects(instruction.Offset)
            && module.Names.Member(instruction.Operand)?.Name == "MoveNext");

    private static bool UsesLock(IlMember called)
        => PollCalls.Find(called.FullName) is PollCall.GivesBack or PollCall.Takes || s_takes.Contains(called.Name);
}
