using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Finds the loop that a thread's innermost code of the program's own waits in.</summary>
internal sealed class ThreadPolls(IlModules modules, ThreadFrames walked, InlinedCalls inlined, CaptureContext context)
{
    private const int MostFrames = Thresholds.FramesOfPrimitive;
    private const string SpinUntil = "SpinUntil";

    private readonly Dictionary<(ulong Method, int? At), LoopContent?> _known = [];

    /// <summary>Null for a thread that is in none.</summary>
    public Poll? Of(ClrThread thread)
    {
        context.Step();
        ClrStackFrame[] frames = [.. walked.Of(thread).Where(frame => frame.Kind == ClrStackFrameKind.ManagedMethod && frame.Method?.Type?.Name is not null).Take(MostFrames)];
        int spin = Array.FindIndex(frames, frame => frame.Method!.Name == SpinUntil && frame.Method.Type!.Name == DotNetTypes.SpinWait);
        int own = Array.FindIndex(frames, Math.Max(spin, 0), frame => !Frameworks.IsOwn(frame.Method!.Type!.Name!));
        if (own < 0 || modules.Of(frames[own].Method) is not { } module || ManagedStack.MethodName(frames[own].Method) is not { } name)
        {
            return null;
        }

        ClrMethod method = frames[own].Method!;
        ulong place = own == 0 ? frames[own].InstructionPointer : frames[own].InstructionPointer - 1;
        if (spin < 0 && own > 0 && InInlined(method, place, frames[own - 1].Method!) is { } missing)
        {
            return missing with { Thread = thread };
        }

        // On top of the stack it looks without a pause.
        return ContentOf(module, method, SourceLines.IlOffset(method, place), isSpin: spin >= 0) is { } content
            && (Waits(content) || (own == 0 && content.Calls.Count == 0 && !content.Computes))
            ? new Poll(module, method.MetadataToken, name, content) { Thread = thread }
            : null;
    }

    // Optimised code can have the method with the loop in the one that calls it, which has the only frame.
    private Poll? InInlined(ClrMethod method, ulong place, ClrMethod called)
        => SourceLines.Statement(method, place) is { } statement
            && inlined.Between(method, statement, called).LastOrDefault(call => !Frameworks.IsOwn(call.Method)) is { } innermost
            && modules.OpenedOf(innermost.Module) is { } module
            && module.Body(innermost.Token) is var body
            && IlLoops.Around(body, innermost.At) is { } loop
            && new LoopScan(module) { LeavesForGood = true }.Read(body, loop) is var content && Waits(content)
                ? new Poll(module, innermost.Token, innermost.Method, content)
                : null;

    private static bool Waits(LoopContent content) => content.Pauses || (content.Traits & PollTraits.TakesLock) != 0;

    private LoopContent? ContentOf(IlModule module, ClrMethod method, int? at, bool isSpin)
    {
        if (!_known.TryGetValue((method.MethodDesc, at), out LoopContent? content))
        {
            IReadOnlyList<IlInstruction> body = module.Body(method.MetadataToken);
            content = isSpin ? Condition(module, body, at ?? 0)
                : at is { } place ? IlLoops.Around(body, place) is { } loop ? Read(module, method, body, loop, place) : null
                : OnlyWait(module, body);
            _known.Add((method.MethodDesc, at), content);
        }

        return content;
    }

    private static LoopContent Read(IlModule module, ClrMethod method, IReadOnlyList<IlInstruction> body, (int Start, int End) loop, int place)
    {
        // An async method leaves its instructions at each await, too.
        LoopContent content = new LoopScan(module) { LeavesForGood = method.Name != "MoveNext" }.Read(body, loop);
        bool hasFailed = module.Clauses(method.MetadataToken).Any(handler => handler.Catches && handler.Start >= loop.Start && handler.End <= loop.End && place >= handler.Start && place < handler.End);
        content.Traits |= hasFailed ? PollTraits.AfterFailure : PollTraits.None;
        return content;
    }

    // Where in the method it is, is unknown: its only loop that waits.
    private static LoopContent? OnlyWait(IlModule module, IReadOnlyList<IlInstruction> body)
        => IlLoops.WaitLoops(body)
            .Select(loop => new LoopScan(module).Read(body, loop))
            .Where(Waits)
            .ToArray() is [var only] ? only : null;

    // The lambda that SpinUntil asks, where it has no limit of time.
    private static LoopContent? Condition(IlModule module, IReadOnlyList<IlInstruction> body, int at)
    {
        int call = 0;
        while (call < body.Count && !(body[call].Offset >= at && body[call].IsCall && module.Names.Member(body[call].Operand)?.Name == SpinUntil))
        {
            call++;
        }

        int lambda = body.Take(call).LastOrDefault(instruction => instruction.Code == ILOpCode.Ldftn).Operand;
        if (call == body.Count || module.Names.Member(lambda) is not { IsOwn: true } condition)
        {
            return null;
        }

        LoopContent content = new LoopScan(module).ReadCondition(condition.Definition);
        content.Traits |= module.Names.ParametersOf(body[call].Operand) > 1 ? PollTraits.HasLimit : PollTraits.None;
        return content;
    }
}
