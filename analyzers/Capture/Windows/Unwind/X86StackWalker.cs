using HangTriage.Capture.Windows.Images;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>
/// Walks the stacks of x86 threads by their frame pointers: x86 images have no unwind data. A function that keeps none
/// is passed over, and its caller with it. A frame is derived only where a call lies before its return address; where
/// code is not in the target's memory that cannot be seen, and the frame is a guess as all behind it are. Each walk
/// ends, since the stack pointer only grows.
/// </summary>
internal sealed class X86StackWalker
{
    private const int MaxWordsPerScan = 4_096;
    private const long MaxWordsPerProcess = 32L << 20;
    private const uint StartArea = 0x1000;
    private const string What = "rest of the stack";

    private readonly TargetMemory _memory;
    private readonly ImageMap _images;
    private readonly ReturnAddressScan _calls;
    private readonly FrameNamer _namer;
    private readonly int _framesPerThread;
    private int _framesLeft;
    private long _wordsLeft = MaxWordsPerProcess;

    public X86StackWalker(TargetMemory memory, ImageMap images, CaptureLimits limits)
    {
        _memory = memory;
        _images = images;
        _calls = new ReturnAddressScan(memory, images);
        _namer = new FrameNamer(images);
        _framesPerThread = limits.FramesPerThread;
        _framesLeft = limits.FramesPerProcess;
    }

    /// <summary>Walks one stack from a thread's registers.</summary>
    public StackFacts Walk(X86Registers registers, StackBounds bounds)
    {
        List<FrameFacts> frames = [_namer.Describe(registers.Eip, registers.Esp, false, Trust.Read)];
        Cursor cursor = new(registers.Esp, registers.Ebp, Trust.Derived);
        if (TryLeaveStub(registers, bounds, out ulong slot))
        {
            Add(frames, slot, ref cursor);
        }

        while (true)
        {
            if (frames.Count >= _framesPerThread || --_framesLeft <= 0)
            {
                return new StackFacts(frames, new Gap(What, $"more than {frames.Count} frames of it are not read"));
            }

            if (TryReadFrame(cursor, bounds, out ulong next, out ulong caller))
            {
                if (caller == 0)
                {
                    return new StackFacts(frames, ExplainEnd(cursor.Ebp, bounds));
                }

                if (IsReturnAddress(caller) is not false)
                {
                    Add(frames, cursor.Ebp + 4, ref cursor);
                    cursor = cursor with { Ebp = next };
                    continue;
                }
            }

            if (!TryScan(frames, ref cursor, bounds))
            {
                return new StackFacts(frames, new Gap(What, $"no frame pointer leads on from {new Address(cursor.Esp)}, and no word above it is behind a call"));
            }
        }
    }

    private static Gap? ExplainEnd(ulong ebp, StackBounds bounds)
        => bounds.IsBaseKnown && bounds.Base - Math.Min(ebp, bounds.Base) > StartArea
            ? new Gap(What, $"the return address at {new Address(ebp + 4)} is 0, {bounds.Base - ebp} bytes before the stack's base")
            : null;

    /// <summary>
    /// A system call's stub has no frame: the thread stands before its "ret n", in WoW64 of Windows 7 before "add esp, 4".
    /// </summary>
    private bool TryLeaveStub(X86Registers registers, StackBounds bounds, out ulong slot)
    {
        Span<byte> code = stackalloc byte[4];
        slot = registers.Esp;
        if (!_memory.TryRead(registers.Eip, code))
        {
            return false;
        }

        slot += code.StartsWith((ReadOnlySpan<byte>)[0x83, 0xC4, 0x04]) ? 4u : 0u;
        return (slot != registers.Esp || code[0] is 0xC2 or 0xC3)
            && bounds.Contains(slot)
            && _memory.TryReadUInt32(slot, out uint caller)
            && IsReturnAddress(caller) is not false;
    }

    private void Add(List<FrameFacts> frames, ulong slot, ref Cursor cursor)
    {
        _ = _memory.TryReadUInt32(slot, out uint caller);
        Trust trust = cursor.Trust == Trust.Derived && IsReturnAddress(caller) == true ? Trust.Derived : Trust.Scanned;
        cursor = cursor with { Esp = slot + 4, Trust = trust };
        frames.Add(_namer.Describe(caller, cursor.Esp, true, trust));
    }

    /// <summary>Reads a frame: the caller's frame pointer and the return address above it. False where the pointer cannot be one.</summary>
    private bool TryReadFrame(Cursor cursor, StackBounds bounds, out ulong next, out ulong caller)
    {
        next = 0;
        caller = 0;
        if (cursor.Ebp < cursor.Esp || cursor.Ebp % 4 != 0 || !bounds.Contains(cursor.Ebp) || !bounds.Contains(cursor.Ebp + 4)
            || !_memory.TryReadUInt32(cursor.Ebp, out uint saved) || !_memory.TryReadUInt32(cursor.Ebp + 4, out uint address))
        {
            return false;
        }

        (next, caller) = (saved, address);
        return true;
    }

    /// <summary>Whether a call lies before the address; null where its code cannot be read; false outside of code.</summary>
    private bool? IsReturnAddress(ulong address)
        => address != 0 && _images.Find(address - 1) is not null ? _calls.IsBehindCall(address) : false;

    /// <summary>Goes on with the next word that is proven to lie behind a call.</summary>
    private bool TryScan(List<FrameFacts> frames, ref Cursor cursor, StackBounds bounds)
    {
        ulong start = (cursor.Esp + 3) & ~3UL;
        for (int i = 0; i < MaxWordsPerScan && _wordsLeft > 0; i++, _wordsLeft--)
        {
            ulong slot = start + ((ulong)i * 4);
            if (!bounds.Contains(slot) || !_memory.TryReadUInt32(slot, out uint word))
            {
                return false;
            }

            if (IsReturnAddress(word) == true)
            {
                _ = _memory.TryReadUInt32(slot - 4, out uint ebp);
                cursor = cursor with { Trust = Trust.Scanned };
                Add(frames, slot, ref cursor);
                cursor = cursor with { Ebp = ebp };
                return true;
            }
        }

        return false;
    }

    /// <summary>Where the walk is: the lowest byte of the caller's frame, and what its frame pointer may be.</summary>
    private readonly record struct Cursor(ulong Esp, ulong Ebp, Trust Trust);
}
