using HangTriage.Capture.Windows.Images;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>
/// Walks the stacks of x64 threads by unwind data, and code outside every image by frame pointers. Where neither leads
/// on it takes the next thing that looks like a return address: from there on every frame is a guess
/// (<see cref="Trust.Scanned"/>). Each walk ends, since the stack pointer only grows.
/// </summary>
internal sealed class X64StackWalker
{
    /// <summary>Windows starts a thread within this many bytes of its stack's base.</summary>
    private const ulong StartArea = 0x1000;

    /// <summary>The frames whose registers are kept for those who look for locks.</summary>
    private const int KeptFrames = 20;
    private const ulong LowestCode = 0x10000;
    private const string What = "rest of the stack";

    private readonly TargetMemory _memory;
    private readonly ImageMap _images;
    private readonly X64Unwinder _unwinder;
    private readonly ReturnAddressScan _scan;
    private readonly FrameChain _chain;
    private readonly FrameNamer _namer;
    private readonly int _framesPerThread;
    private int _framesLeft;

    public X64StackWalker(TargetMemory memory, ImageMap images, CaptureLimits limits)
    {
        _memory = memory;
        _images = images;
        _unwinder = new X64Unwinder(memory, images, limits);
        _scan = new ReturnAddressScan(memory, images);
        _chain = new FrameChain(memory, images, _scan);
        _namer = new FrameNamer(images);
        _framesPerThread = limits.FramesPerThread;
        _framesLeft = limits.FramesPerProcess;
    }

    /// <summary>Walks one stack from a thread's registers.</summary>
    /// <param name="registers">Those of the innermost frame.</param>
    /// <param name="bounds">The stack.</param>
    /// <param name="inner">Takes the registers of the innermost frames; null where nobody needs them.</param>
    public StackFacts Walk(X64Registers registers, StackBounds bounds, List<X64Registers>? inner = null)
    {
        List<FrameFacts> frames = [];
        Trust trust = Trust.Read;
        bool isReturnAddress = false;
        while (true)
        {
            if (frames.Count >= _framesPerThread || _framesLeft <= 0)
            {
                int limit = frames.Count >= _framesPerThread ? _framesPerThread : frames.Count;
                return new StackFacts(frames, new Gap(What, $"more than {limit} frames of it are not read"));
            }

            _framesLeft--;
            if (inner?.Count < KeptFrames)
            {
                inner.Add(registers);
            }

            frames.Add(_namer.Describe(registers.Rip, registers.Rsp, isReturnAddress, trust));
            if (!TryStep(ref registers, ref isReturnAddress, bounds, out bool isSure, out Gap? end))
            {
                return new StackFacts(frames, end);
            }

            trust = trust == Trust.Scanned || !isSure ? Trust.Scanned : Trust.Derived;
        }
    }

    /// <summary>Goes to the caller; false where the stack ends.</summary>
    /// <param name="registers">Those of the frame, then of its caller.</param>
    /// <param name="isReturnAddress">Whether their address is one that a call returns to.</param>
    /// <param name="bounds">The stack.</param>
    /// <param name="isSure">The caller is not a guess.</param>
    /// <param name="end">Why it ends; null where it begins there.</param>
    private bool TryStep(ref X64Registers registers, ref bool isReturnAddress, StackBounds bounds, out bool isSure, out Gap? end)
    {
        isSure = true;
        end = null;
        X64Registers caller = registers;
        bool isCallerReturnAddress = isReturnAddress;
        UnwindStatus status = _unwinder.Step(ref caller, ref isCallerReturnAddress);
        string? problem = status == UnwindStatus.Done
            ? CheckCaller(registers, caller, bounds, isCallerReturnAddress)
            : Explain(status, registers, isReturnAddress);
        if (problem is null)
        {
            end = caller.Rip == 0 ? ExplainEnd(caller.Rsp, bounds) : null;
            isReturnAddress = isCallerReturnAddress;
            registers = caller;
            return caller.Rip != 0;
        }

        // Nothing called this frame: the stack begins here.
        if (bounds.IsBaseKnown && registers.Rsp == bounds.Base)
        {
            return false;
        }

        if (!(status == UnwindStatus.OutsideImages && _chain.TryFind(registers, bounds, out caller, out isSure)))
        {
            isSure = false;
            if (!_scan.TryFind(registers.Rsp, bounds, out caller))
            {
                end = new Gap(What, problem);
                return false;
            }
        }

        isReturnAddress = true;
        registers = caller;
        return true;
    }

    private static Gap? ExplainEnd(ulong rsp, StackBounds bounds)
        => bounds.IsBaseKnown && bounds.Base - Math.Min(rsp, bounds.Base) > StartArea
            ? new Gap(What, $"the return address at {new Address(rsp - sizeof(ulong))} is 0, {bounds.Base - rsp} bytes before the stack's base")
            : null;

    /// <summary>Null where what was unwound can be a caller; else why it cannot.</summary>
    private string? CheckCaller(in X64Registers callee, in X64Registers caller, StackBounds bounds, bool isReturnAddress)
    {
        if (caller.Rsp <= callee.Rsp)
        {
            return $"by the unwind data of {Place(callee.Rip)} the caller's stack pointer {new Address(caller.Rsp)} would not lie above {new Address(callee.Rsp)}";
        }

        if (bounds.IsBaseKnown && bounds.Contains(callee.Rsp) && caller.Rsp > bounds.Base)
        {
            return $"by the unwind data of {Place(callee.Rip)} the caller's stack pointer {new Address(caller.Rsp)} would lie beyond the stack";
        }

        if (caller.Rip == 0 || !isReturnAddress || _images.Find(caller.Rip - 1) is not null)
        {
            return null;
        }

        // Code outside every image is there (jitted code is), but not just anywhere.
        return caller.Rip < LowestCode || _scan.IsBehindCall(caller.Rip) == false
            ? $"the return address {new Address(caller.Rip)} in the frame of {Place(callee.Rip)} is behind no call"
            : null;
    }

    private string Explain(UnwindStatus status, in X64Registers registers, bool isReturnAddress)
    {
        string place = Place(isReturnAddress ? unchecked(registers.Rip - 1) : registers.Rip);
        return status switch
        {
            UnwindStatus.OutsideImages => $"the address {new Address(registers.Rip)} lies outside every module",
            UnwindStatus.NoUnwindData => $"the unwind data of {place} {_memory.Absent}",
            UnwindStatus.BadUnwindData => $"the unwind data of {place} is not understood",
            UnwindStatus.LeafThatCalled => $"the function at {place} has no unwind data",
            UnwindStatus.NoFrameRegister => $"the frame register of {place} is not known",
            _ => $"the stack memory of {place} at {new Address(registers.Rsp)} {_memory.Absent}",
        };
    }

    private string Place(ulong address) => _images.Find(address) is { } image
        ? $"{image.Module.Name}+0x{image.Rva(address):x}"
        : new Address(address).ToString();
}
