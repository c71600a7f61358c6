using HangTriage.Capture.Windows.Images;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>
/// Finds the caller of code outside every image by the chain of frame pointers: rbp leads to the caller's rbp, with the
/// return address behind it. The .NET JIT builds nearly all of its frames so, and a dump has no unwind data for them.
/// </summary>
internal sealed class FrameChain
{
    private const int Rbp = 5;
    private const ulong LargestFrame = 0x10_0000;
    private const int MostWordsToCheck = 4_096;

    private readonly TargetMemory _memory;
    private readonly ImageMap _images;
    private readonly ReturnAddressScan _scan;

    public FrameChain(TargetMemory memory, ImageMap images, ReturnAddressScan scan)
    {
        _memory = memory;
        _images = images;
        _scan = scan;
    }

    /// <param name="frame">The frame's registers.</param>
    /// <param name="bounds">The stack.</param>
    /// <param name="caller">The caller's: instruction, stack and frame pointer.</param>
    /// <param name="isSure">
    /// No other word of the frame can be a return address. Else the frame's function may have left rbp to its caller,
    /// and the true one may lie among them.
    /// </param>
    public bool TryFind(in X64Registers frame, StackBounds bounds, out X64Registers caller, out bool isSure)
    {
        caller = default;
        isSure = false;
        if (!frame.TryGet(Rbp, out ulong pointer)
            || pointer % sizeof(ulong) != 0
            || pointer < frame.Rsp
            || pointer - frame.Rsp > LargestFrame
            || !bounds.Contains(pointer + sizeof(ulong))
            || !_memory.TryReadUInt64(pointer, out ulong next)
            || !_memory.TryReadUInt64(pointer + sizeof(ulong), out ulong rip)
            || !CanReturnTo(rip))
        {
            return false;
        }

        caller = X64Registers.Guessed(rip, pointer + (2 * sizeof(ulong)));
        caller.Set(Rbp, next);
        isSure = HasNoOther(frame.Rsp, pointer);
        return true;
    }

    private bool HasNoOther(ulong from, ulong to)
    {
        ulong address = (from + 7) & ~7UL;
        for (int checkedWords = 0; address < to; address += sizeof(ulong))
        {
            if (++checkedWords > MostWordsToCheck || !_memory.TryReadUInt64(address, out ulong word) || CanReturnTo(word))
            {
                return false;
            }
        }

        return true;
    }

    private bool CanReturnTo(ulong word)
        => _images.Find(unchecked(word - 1)) is { } image
            ? image.IsCode(image.Rva(word - 1)) && _scan.IsBehindCall(word) == true
            : _scan.IsBehindCall(word) == true;
}
