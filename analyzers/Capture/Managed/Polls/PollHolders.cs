using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Finds who has taken a lock of the program's own making, which records no owner: a thread in a protected block whose finally block gives
/// it back.
/// </summary>
internal sealed class PollHolders(IReadOnlyList<ClrThread> threads, ThreadFrames walked, IlModules modules)
{
    private const int MostHolders = 16;

    /// <param name="writers">The methods that give it back.</param>
    /// <param name="fields">What they write.</param>
    public IReadOnlyList<PollHolder> Of(string[] writers, string[] fields)
        =>
        [
            .. threads.Select(thread => (thread, Method: MethodOf(thread, writers, fields))).Where(pair => pair.Method is not null)
                .Select(pair => new PollHolder(new ThreadId(pair.thread.OSThreadId), pair.Method!)).Take(MostHolders),
        ];

    private string? MethodOf(ClrThread thread, string[] writers, string[] fields)
        => walked.Of(thread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod)
            .Where(frame => IsInside(frame, writers, fields))
            .Select(frame => ManagedStack.MethodName(frame.Method))
            .FirstOrDefault();

    private bool IsInside(ClrStackFrame frame, string[] writers, string[] fields)
    {
        if (modules.Of(frame.Method) is not { } module)
        {
            return false;
        }

        // Where in its method a frame is takes the runtime's map, and few methods give the lock back.
        int method = frame.Method!.MetadataToken;
        IReadOnlyList<IlInstruction> body = module.Body(method);
        IlClause[] giving =
        [
            .. module.Clauses(method).Where(clause => clause.IsFinally
                && body.Any(instruction => clause.Handles(instruction) && GivesBack(module, instruction, writers, fields))),
        ];
        return giving.Length > 0 && SourceLines.IlOffset(frame.Method, frame.InstructionPointer - 1) is { } at
            && Array.Exists(giving, clause => clause.Protects(at));
    }

    private static bool GivesBack(IlModule module, IlInstruction instruction, string[] writers, string[] fields)
        => BringerSearch.Writes(module, instruction, fields)
            || (instruction.IsCall && module.Names.Member(instruction.Operand) is { } called && writers.Contains(called.FullName));
}
