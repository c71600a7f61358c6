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
        if (modules.Of(frame.Method) is not { } module
            || SourceLines.IlOffset(frame.Method!, frame.InstructionPointer - 1) is not { } at)
        {
            return false;
        }

        int method = frame.Method!.MetadataToken;
        IReadOnlyList<IlInstruction> body = module.Body(method);
        return module.Clauses(method).Where(clause => clause.IsFinally && clause.Protects(at))
            .Any(clause => body.Any(instruction => instruction.Offset >= clause.Start && instruction.End <= clause.End
                && GivesBack(module, instruction, writers, fields)));
    }

    private static bool GivesBack(IlModule module, IlInstruction instruction, string[] writers, string[] fields)
        => BringerSearch.Writes(module, instruction, fields)
            || (instruction.IsCall && module.Names.Member(instruction.Operand) is { } called && writers.Contains(called.FullName));
}
