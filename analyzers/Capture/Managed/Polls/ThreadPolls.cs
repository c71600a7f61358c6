using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Finds the loop that a thread's innermost code of the program's own waits in. A thread that will find at its next look what it looks for does
/// not wait: it has yet to see it.
/// </summary>
internal sealed class ThreadPolls(IlModules modules, ThreadFrames walked, InlinedCalls inlined, SpunLoop spun, CaptureContext context)
{
    private const int MostFrames = Thresholds.FramesOfPrimitive;
    private const string SpinUntil = "SpinUntil";

    private readonly Dictionary<(ulong Method, int? At), LoopContent?> _known = [];

    /// <summary>Null for a thread that is in none, and for one that is about to leave it.</summary>
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
        bool isPaused = own > 0 && DotNetTypes.Pauses(frames[own - 1].Method!.Type!.Name);
        if (spin < 0 && own > 0 && InInlined(method, place, frames[own - 1].Method!) is { } missing)
        {
            Poll inlinedPoll = missing.Poll with { Thread = thread };
            return isPaused ? Looking(thread, inlinedPoll, missing.At, frames[..(own + 1)], isSpin: false) : inlinedPoll;
        }

        // On top of the stack it looks without a pause.
        int? at = SourceLines.IlOffset(method, place);
        LoopContent? content = ContentOf(module, method, at, isSpin: spin >= 0);
        bool isLook = content is { Calls.Count: 0, Computes: false };
        if (own == 0 && !isLook && spun.Of(thread, frames[0], module) is { } inner)
        {
            return new Poll(module, inner.Method, module.Names.Member(inner.Method)?.FullName ?? name, inner.Content) { Thread = thread };
        }

        return content is null || !(Waits(content) || (own == 0 && isLook)) ? null
            : new Poll(module, method.MetadataToken, name, content) { Thread = thread } is var poll && isPaused
                ? Looking(thread, poll, at, frames[..(own + 1)], spin >= 0)
                : poll;
    }

    // Null where its next look ends it. A pause without end lasts whatever the loop looks at: such are not asked about.
    private static Poll? Looking(ClrThread thread, Poll poll, int? at, ClrStackFrame[] frames, bool isSpin)
        => !poll.IsByFields ? poll
            : ((isSpin ? at ?? 0 : at) is { } place ? HasCome(thread, poll, place, frames, isSpin) : null) switch
            {
                true => null,
                false => poll,
                null => poll with { MayHaveCome = true },
            };

    private static bool? HasCome(ClrThread thread, Poll poll, int at, ClrStackFrame[] frames, bool isSpin)
    {
        HashSet<ulong> places = [.. frames.Select(frame => frame.StackPointer)];
        ClrObject[] held =
        [
            .. StackRoots.ByFrame(thread).Where(frame => places.Contains(frame.Key)).SelectMany(frame => frame).Select(root => root.Object),
        ];
        ClrObject[] targets = [.. held.Select(found => found.Reference("_target")).Where(target => !target.IsNull)];
        LoopRun run = new(poll.Module, [.. held.Concat(targets).DistinctBy(found => found.Address)], thread.Runtime);
        IReadOnlyList<IlInstruction> body = poll.Module.Body(poll.Method);
        return isSpin ? ConditionAt(poll.Module, body, at) is var (condition, _) ? run.Answers(condition) : null
            : IlLoops.Around(body, at) is { } loop ? run.Leaves(body, loop, at) : null;
    }

    // Optimised code can have the method with the loop in the one that calls it, which has the only frame.
    private (Poll Poll, int At)? InInlined(ClrMethod method, ulong place, ClrMethod called)
        => SourceLines.Statement(method, place) is { } statement
            && inlined.Between(method, statement, called).LastOrDefault(call => !Frameworks.IsOwn(call.Method)) is { } innermost
            && modules.OpenedOf(innermost.Module) is { } module
            && module.Body(innermost.Token) is var body
            && IlLoops.Around(body, innermost.At) is { } loop
            && new LoopScan(module) { LeavesForGood = true }.Read(body, loop) is var content && Waits(content)
                ? (new Poll(module, innermost.Token, innermost.Method, content), innermost.At)
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

    private static LoopContent? Condition(IlModule module, IReadOnlyList<IlInstruction> body, int at)
    {
        if (ConditionAt(module, body, at) is not var (condition, hasLimit))
        {
            return null;
        }

        LoopContent content = new LoopScan(module).ReadCondition(condition);
        content.Traits |= hasLimit ? PollTraits.HasLimit : PollTraits.None;
        return content;
    }

    // The lambda that SpinUntil asks.
    private static (int Method, bool HasLimit)? ConditionAt(IlModule module, IReadOnlyList<IlInstruction> body, int at)
    {
        int call = 0;
        while (call < body.Count && !(body[call].Offset >= at && body[call].IsCall && module.Names.Member(body[call].Operand)?.Name == SpinUntil))
        {
            call++;
        }

        int lambda = body.Take(call).LastOrDefault(instruction => instruction.Code == ILOpCode.Ldftn).Operand;
        return call < body.Count && module.Names.Member(lambda) is { IsOwn: true } condition
            ? (condition.Definition, module.Names.ParametersOf(body[call].Operand) > 1)
            : null;
    }
}
