using HangTriage.Capture.Windows.Code;
using HangTriage.Capture.Windows.Images;
using HangTriage.Capture.Windows.Loader;
using HangTriage.Capture.Windows.Unwind;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows;

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
    private readonly FrameNamer _namer;
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
        _namer = new FrameNamer(images);
    }

    public IReadOnlyList<Gap> Gaps => _gaps;

    /// <summary>Known after <see cref="Read"/>, where a thread's block is there and names it.</summary>
    public Known<Address> Peb => _peb != 0
        ? Known.Read(new Address(_peb))
        : Known.Unknown<Address>(
            "process environment block",
            _whyNotWalked is null ? $"no thread environment block that leads to it: their memory {_memory.Absent}" : "its layout is not read");

    public IReadOnlyList<ThreadFacts> Read(IReadOnlyList<WindowsThread> threads)
    {
        List<ThreadFacts> facts = new(threads.Count);
        foreach (WindowsThread thread in threads)
        {
            _context.Cancellation.ThrowIfCancellationRequested();
            if (facts.Count % ThreadsPerReport == 0)
            {
                _context.Progress?.Report($"threads: {facts.Count} of {threads.Count}");
            }

            facts.Add(ReadThread(thread));
        }

        return facts;
    }

    private ThreadFacts ReadThread(WindowsThread thread)
    {
        Gap? gap = null;
        ThreadBlock? block = _whyNotWalked is null ? ThreadBlock.Read(_memory, thread, _loader, out gap) : null;
        gap ??= new Gap("thread environment block", "its layout is not read");
        if (block is not null && block.Peb != 0)
        {
            NotePeb(block.Peb, thread);
        }

        StackFacts stack = ReadStack(thread, block);
        Known<bool>? isInSystemCall = _whyNotWalked is null && stack.Frames.Count > 0
            ? SystemCallStub.IsBehind(_memory, stack.Frames[0].Ip.Value)
            : null;
        return new ThreadFacts
        {
            OsId = new ThreadId(thread.Id),
            Index = thread.Index,
            Name = thread.Name,
            Cpu = thread.Cpu,
            StartedAt = thread.StartedAt,
            StartAddress = thread.StartAddress,
            Stack = stack,
            Teb = block is null ? Known<TebFacts>.Unknown(gap) : Known.Read(block.Facts),
            Loop = _whyNotWalked is null ? _loops.Find(stack.Frames, isInSystemCall?.Is(isBehind => isBehind) == true) : null,
            IsInSystemCall = isInSystemCall,
        };
    }

    private StackFacts ReadStack(WindowsThread thread, ThreadBlock? block)
    {
        Span<byte> context = stackalloc byte[TopFrame.ContextSize];
        int size = _process.ReadContext(thread, context);
        if (!TopFrame.TryRead(_process.Architecture, context[..size], out ulong ip, out ulong sp))
        {
            return new StackFacts([], new Gap("stack", "the target has no registers of this thread"));
        }

        if (_whyNotWalked is not null)
        {
            return new StackFacts([_namer.Describe(ip, sp, false, Trust.Read)], new Gap("rest of the stack", _whyNotWalked));
        }

        return X64Registers.TryParse(context[..size], out X64Registers registers)
            ? _walker.Walk(registers, BoundsOf(thread, block, sp))
            : new StackFacts([], new Gap("stack", "the target has no registers of this thread"));
    }

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
