using HangTriage.Capture.Windows.Code;
using HangTriage.Capture.Windows.Images;
using HangTriage.Capture.Windows.Layout;
using HangTriage.Capture.Windows.Loader;
using HangTriage.Capture.Windows.Locks;
using HangTriage.Capture.Windows.Unwind;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Threads;

/// <summary>Makes the facts of each thread, and finds the process environment block that they point to.</summary>
internal sealed class ThreadReader
{
    private const int ThreadsPerReport = 256;

    private readonly IWindowsProcess _process;
    private readonly TargetMemory _memory;
    private readonly LoaderKnowledge _loader;
    private readonly string? _whyNotWalked;
    private readonly CaptureContext _context;
    private readonly X64StackWalker _walker;
    private readonly LoopFinder _loops;
    private readonly X86StackWalker _walkerX86;
    private readonly FrameNamer _namer;
    private readonly LockContext _lockContext;
    private readonly LockReader _locks;
    private readonly List<Gap> _gaps = [];
    private ulong _peb;

    /// <param name="process">The process.</param>
    /// <param name="memory">Its memory.</param>
    /// <param name="images">Its images.</param>
    /// <param name="loader">Whose loader it has.</param>
    /// <param name="whyNotWalked">Why only the innermost frames are read; null where the stacks are walked.</param>
    /// <param name="context">Limits and cancellation.</param>
    public ThreadReader(
        IWindowsProcess process, TargetMemory memory, ImageMap images, LoaderKnowledge loader, string? whyNotWalked, CaptureContext context)
    {
        _process = process;
        _memory = memory;
        _loader = loader;
        _whyNotWalked = whyNotWalked;
        _context = context;
        _walker = new X64StackWalker(memory, images, context.Limits);
        _loops = new LoopFinder(memory, images, context.Limits);
        _walkerX86 = new X86StackWalker(memory, images, context.Limits);
        _namer = new FrameNamer(images);
        _lockContext = new LockContext(memory, NativeLayout.Of(process.Architecture), images, loader, context);
        _locks = new LockReader(_lockContext, process.Handles);
    }

    public IReadOnlyList<Gap> Gaps => _gaps;

    /// <summary>Known after <see cref="Read"/>, where a thread's block is there and names it.</summary>
    public Known<Address> Peb => _peb != 0
        ? Known.Read(new Address(_peb))
        : Known.Unknown<Address>(
            "process environment block",
            _whyNotWalked is null ? $"the thread environment blocks lead to it, and their memory {_memory.Absent}" : "its layout is not read");

    /// <summary>The locks, and which thread waits for which; once, after <see cref="Read"/>.</summary>
    public NativeLocks ReadLocks(Known<LockFacts> loaderLock) => _locks.Complete(Peb, loaderLock);

    public IReadOnlyList<ThreadFacts> Read(IReadOnlyList<WindowsThread> threads)
    {
        List<ThreadFacts> facts = new(threads.Count);
        uint? usual = SuspendCounts.Usual(threads);
        foreach (WindowsThread thread in threads)
        {
            _context.Cancellation.ThrowIfCancellationRequested();
            if (facts.Count % ThreadsPerReport == 0)
            {
                _context.Progress?.Report($"threads: {facts.Count} of {threads.Count}");
            }

            facts.Add(ReadThread(thread) with { IsSuspended = thread.SuspendCount is { } count ? Known.Derived(count > usual) : null });
        }

        return facts;
    }

    private ThreadFacts ReadThread(WindowsThread thread)
    {
        Gap? gap = null;
        ThreadBlock? block = _whyNotWalked is null ? ThreadBlock.Read(_memory, _lockContext.Layout, thread, _loader, out gap) : null;
        gap ??= new Gap("thread environment block", "its layout is not read");
        if (block is not null && block.Peb != 0)
        {
            NotePeb(block.Peb, thread);
        }

        List<X64Registers> registers = [];
        StackFacts stack = ReadStack(thread, block, registers);
        ThreadView view = new(thread, block, stack, registers);
        Known<SystemCallFacts>? call = _whyNotWalked is null ? SystemCallReader.Read(_lockContext, view) : null;
        if (_whyNotWalked is null && StackLoss.Of(_memory, _lockContext.Layout.PointerSize, stack, isInSystemCall: call is { HasValue: true }) is { } lost)
        {
            stack = stack with { Stopped = lost };
        }

        _locks.Note(view, call);
        return new ThreadFacts
        {
            OsId = new ThreadId(thread.Id),
            Index = thread.Index,
            Name = thread.Name,
            Cpu = thread.Cpu,
            StartedAt = thread.StartedAt,
            StartAddress = thread.StartAddress,
            Stack = stack,
            SystemCall = call,
            Teb = block is null ? Known<TebFacts>.Unknown(gap) : Known.Read(block.Facts),
            Loop = _whyNotWalked is null && _process.Architecture == TargetArchitecture.X64 ? _loops.Find(stack.Frames, call is { HasValue: true }) : null,
            IsInSystemCall = _whyNotWalked is not null ? null
                : call is null ? IsInCodeThatCallsNothing(stack)
                : call.Gap is { } unseen ? Known<bool>.Unknown(unseen)
                : Known.Read(true),
        };
    }

    // Old systems make system calls in other modules than ntdll too: only code that is there shows that it makes none.
    private Known<bool> IsInCodeThatCallsNothing(StackFacts stack)
        => stack.Frames is [FrameFacts top, ..]
            && SystemCallCode.Read(_memory, top.Ip.Value, top.Sp.Value, _lockContext.Layout.PointerSize) is not null
            ? Known.Derived(false)
            : Known.Unknown<bool>("system call", $"the thread's code {_memory.Absent}");

    private StackFacts ReadStack(WindowsThread thread, ThreadBlock? block, List<X64Registers> inner)
    {
        Span<byte> context = stackalloc byte[TopFrame.ContextSize];
        int size = _process.ReadContext(thread, context);
        if (!TopFrame.TryRead(_process.Architecture, context[..size], out ulong ip, out ulong sp))
        {
            return WithoutRegisters();
        }

        if (_whyNotWalked is not null)
        {
            return new StackFacts([_namer.Describe(ip, sp, false, Trust.Read)], new Gap("rest of the stack", _whyNotWalked));
        }

        if (_process.Architecture == TargetArchitecture.X86 && X86Registers.TryParse(context[..size], out X86Registers registersX86))
        {
            return _walkerX86.Walk(registersX86, BoundsOf(thread, block, sp));
        }

        return X64Registers.TryParse(context[..size], out X64Registers registers)
            ? _walker.Walk(registers, BoundsOf(thread, block, sp), inner)
            : WithoutRegisters();
    }

    private StackFacts WithoutRegisters()
        => new([], new Gap("stack", "the target has no registers of this thread") { IsLoss = _process.Architecture == TargetArchitecture.X64 });

    /// <summary>The stack that the thread is on: its own, or, where it runs on another one (a fiber's), what the source lists.</summary>
    private static StackBounds BoundsOf(WindowsThread thread, ThreadBlock? block, ulong sp)
        => block is not null && block.Stack.Contains(sp) ? block.Stack
            : thread.Stack is { } listed && listed.Contains(sp) ? new StackBounds(listed.Start, listed.End, false)
            : StackBounds.Unknown;

    private void NotePeb(ulong peb, WindowsThread thread)
    {
        const string What = "process environment block";
        if (_peb == 0)
        {
            _peb = peb;
        }
        else if (_peb != peb && _gaps.Count == 0)
        {
            _gaps.Add(new Gap(What, $"thread {new ThreadId(thread.Id)} names {new Address(peb)}, threads before it {new Address(_peb)}"));
        }
    }
}
