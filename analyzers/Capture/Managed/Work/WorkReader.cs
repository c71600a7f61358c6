using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Emulation;
using HangTriage.Capture.Managed.Rounds;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>
/// Reads what tells, in two looks, whether a thread at work gets anywhere: where its program's frames are, and a hash of what they work
/// with.
/// </summary>
internal sealed class WorkReader(IlModules modules, ThreadFrames walked, SourceLines sources, CaptureContext context)
{
    private const int MostThreads = 64;
    private const int MostFrames = 16;
    private const string Throwing = "System.Runtime.EH";
    private const string ThrowMarker = "ExceptionFrame";

    private RoundReader? _rounds;

    private readonly LoopReader _loops = new(sources);
    private readonly RepeatReader _repeats = new(modules, context);

    /// <param name="threads">The threads that live.</param>
    /// <param name="polling">Those of them that go round a loop that waits.</param>
    public IReadOnlyList<WorkFacts> Read(IReadOnlyList<ClrThread> threads, IReadOnlySet<uint> polling)
    {
        List<WorkFacts> found = [];
        foreach (ClrThread thread in threads
            .Where(thread => thread.OSThreadId != 0 && (!ThreadStates.IsBlocked(thread) || polling.Contains(thread.OSThreadId))))
        {
            context.Step();
            if (found.Count < MostThreads
                && Attempt.Read("thread at work",
                    () => Known.Derived<WorkFacts[]>(Of(thread) is { } work ? [work] : [])) is { HasValue: true, Value: [var one] })
            {
                found.Add(one);
            }
        }

        return found;
    }

    private WorkFacts? Of(ClrThread thread)
    {
        if (!walked.Of(thread).Any(IsOwn))
        {
            return null;
        }

        ClrStackFrame[] all = [.. thread.EnumerateStackTrace(includeContext: true, maxFrames: context.Limits.FramesPerThread)];
        int[] own = [.. Enumerable.Range(0, all.Length).Where(index => IsOwn(all[index])).Take(MostFrames)];
        if (own.Length == 0)
        {
            return null;
        }

        ILookup<ulong, HeldObject> roots = StackRoots.ByFrame(thread);
        CircleFinder circles = new(modules);
        WorkCircle? circle = null;
        List<WorkFrame> frames = [];
        foreach (int index in own)
        {
            ClrStackFrame frame = all[index];
            IReadOnlyList<ClrObject> objects =
                [.. roots[frame.StackPointer].Select(root => root.Object).DistinctBy(found => found.Address)];
            int? at = frame.Method is { } method
                ? SourceLines.IlOffset(method, index == 0 ? frame.InstructionPointer : frame.InstructionPointer - 1)
                : null;
            circle ??= circles.Find(frame, at, index == 0
                ? [.. objects.Concat(new FrameState(thread.Runtime, all, index).InRegisters()).DistinctBy(found => found.Address)]
                : objects);
            frames.Add(Describe(thread, all, index, at, objects));
        }

        return new WorkFacts
        {
            Thread = new ThreadId(thread.OSThreadId),
            Ip = new Address(all[0].InstructionPointer),
            Frames = frames,
            IsPausing = ThreadStates.IsBlocked(thread),
            IsThrowing = thread.CurrentException is not null || all.Take(own[0]).Any(IsThrow),
            MatchLimit = MatchLimit.Of(roots.SelectMany(held => held).Select(root => root.Object)),
            Circle = circle,
            Repeat = circle is null && !ThreadStates.IsBlocked(thread) ? _repeats.Of(thread, all) : null,
        };
    }

    private WorkFrame Describe(ClrThread thread, ClrStackFrame[] all, int index, int? at, IReadOnlyList<ClrObject> objects)
    {
        ClrStackFrame frame = all[index];
        IlModule? module = modules.Of(frame.Method);
        FrameState state = new(thread.Runtime, all, index);
        bool isLeaf = index == 0;
        return new WorkFrame
        {
            Method = ManagedStack.MethodName(frame.Method) ?? string.Empty,
            Ip = new Address(frame.InstructionPointer),
            Loop = module is null ? null : _loops.Of(module, frame.Method!, at),
            IsPlaceKnown = at is not null && module is not null,
            IsInnermost = isLeaf,
            IsCalledByProgram = all.Skip(index + 1).FirstOrDefault(outer => outer.Kind == ClrStackFrameKind.ManagedMethod) is { } caller
                && IsOwn(caller),
            Locals = state.Locals(),
            Outline = state.Outline(),
            Content = module is null ? null : new FrameContent(thread.Runtime).Of(module, frame.Method!, objects),
            Rounds = ThreadStates.IsBlocked(thread) ? null
                : (_rounds ??= new RoundReader(modules, thread.Runtime)).Of(thread, all, index, at, RoundCounter.Of(thread.Runtime, frame)),
            Registers = isLeaf && module is not null ? Registers(module, frame.Method!.MetadataToken, state, thread.OSThreadId) : null,
        };
    }

    private static IReadOnlyList<string>? Registers(IlModule module, int token, FrameState state, uint thread)
        => !module.HasFloats(token) ? state.Registers()
            : !module.HasValueTypes(token) && state.Registers() is { } general
            && state.FloatRegisters(thread) is { } floats ? [.. general, .. floats]
            : null;

    private static bool IsOwn(ClrStackFrame frame)
        => frame is { Kind: ClrStackFrameKind.ManagedMethod, Method.Type.Name: { } type } && !Frameworks.IsOwn(type);

    private static bool IsThrow(ClrStackFrame frame)
        => frame.Method?.Type?.Name?.StartsWith(Throwing, StringComparison.Ordinal) == true
            || frame.FrameName?.EndsWith(ThrowMarker, StringComparison.Ordinal) == true;
}
