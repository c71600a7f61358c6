using HangTriage.Capture.Windows.Images;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Code;

/// <summary>
/// Finds the loop that a thread is in, by its machine code. Threads share code, so each place is decoded once. x64 only.
/// </summary>
internal sealed class LoopFinder
{
    private const string What = "loop";

    private readonly TargetMemory _memory;
    private readonly ImageMap _images;
    private readonly int _maxBytes;
    private readonly Dictionary<(ulong Ip, bool IsReturnAddress), Known<LoopFacts>?> _places = [];
    private int _bytesLeft;

    public LoopFinder(TargetMemory memory, ImageMap images, CaptureLimits limits)
    {
        _memory = memory;
        _images = images;
        _maxBytes = limits.CodePerFunction;
        _bytesLeft = limits.CodePerProcess;
    }

    /// <summary>The loop around the innermost frame, or else around the innermost one outside the system's layers.</summary>
    /// <param name="frames">The thread's stack.</param>
    /// <param name="isInSystemCall">The innermost frame is behind a system call, so its own code does not go round.</param>
    /// <returns>Null where neither goes round; a gap where one could not be looked at and the other does not.</returns>
    public Known<LoopFacts>? Find(IReadOnlyList<FrameFacts> frames, bool isInSystemCall)
    {
        Known<LoopFacts>? top = frames.Count > 0 && !isInSystemCall ? AroundFrame(frames, 0) : null;
        if (top?.HasValue == true)
        {
            return top;
        }

        int caller = 0;
        while (caller < frames.Count && SystemLayers.Contain(frames[caller]))
        {
            caller++;
        }

        bool isOther = caller < frames.Count && (caller > 0 || isInSystemCall);
        Known<LoopFacts>? own = isOther ? AroundFrame(frames, caller) : null;
        return own ?? top;
    }

    private Known<LoopFacts>? AroundFrame(IReadOnlyList<FrameFacts> frames, int index)
    {
        FrameFacts frame = frames[index];
        (ulong Ip, bool IsReturnAddress) place = (frame.Ip.Value, index > 0);
        if (!_places.TryGetValue(place, out Known<LoopFacts>? loop))
        {
            loop = Around(place.Ip, place.IsReturnAddress);
            _places.Add(place, loop);
        }

        return loop is not null && loop.TryGet(out LoopFacts? facts)
            ? Known<LoopFacts>.Of(facts with { FrameIndex = index }, frame.Trust == Trust.Scanned ? Trust.Scanned : Trust.Derived)
            : loop;
    }

    private Known<LoopFacts>? Around(ulong ip, bool isReturnAddress)
    {
        ulong within = isReturnAddress ? unchecked(ip - 1) : ip;
        if (_images.Find(within) is not { } image)
        {
            return Unknown($"where the function at {new Address(ip)} starts is not known: it lies outside every module");
        }

        string place = $"{image.Module.Name}+0x{image.Rva(within):x}";
        if (!FunctionExtent.TryFind(image, image.Rva(within), out AddressRange range, out bool isLeaf))
        {
            return Unknown($"where the function at {place} starts is not known");
        }

        ulong size = range.End - range.Start;
        if (size > (ulong)Math.Min(_maxBytes, _bytesLeft))
        {
            return Unknown(size > (ulong)_maxBytes
                ? $"the function at {place} is too long to be decoded: {size} bytes"
                : "too much code of other threads was decoded before");
        }

        byte[] bytes = new byte[size];
        int read = _memory.Read(range.Start, bytes);
        _bytesLeft -= read;
        if (read == 0 || range.Start + (ulong)read < ip)
        {
            return Unknown($"the code at {place} {_memory.Absent}");
        }

        CodeListing code = CodeListing.Decode(bytes[..read], range.Start, bytes.Length);
        int index = isReturnAddress ? code.IndexOfCallBefore(ip) : code.IndexAt(ip);
        if (index < 0)
        {
            return Unknown($"the code before {place} does not decode to {(isReturnAddress ? "a call that returns there" : "an instruction there")}");
        }

        return LoopSearch.Around(code, index) is { } loop && IsOneFunction(code, loop, isLeaf) ? Known.Derived(Describe(code, loop))
            : code.IsWhole || isLeaf ? null
            : Unknown($"the rest of the function at {place} {(read < bytes.Length ? _memory.Absent : "does not decode")}");
    }

    // Between two entries several leaf functions can lie, and one that ends with a jump to another is no loop.
    private bool IsOneFunction(CodeListing code, (int First, int Last) loop, bool isLeaf)
        => !isLeaf || LeafFunction.Reaches(_memory, code.Steps[loop.First].Address, code.Steps[loop.Last].Address);

    private static LoopFacts Describe(CodeListing code, (int First, int Last) loop)
    {
        bool hasPause = false;
        for (int i = loop.First; i <= loop.Last; i++)
        {
            hasPause |= code.Steps[i].IsPause;
        }

        return new LoopFacts(
            new Address(code.Steps[loop.First].Address), new Address(code.Steps[loop.Last].End), loop.Last - loop.First + 1, hasPause, 0);
    }

    private static Known<LoopFacts> Unknown(string why) => Known.Unknown<LoopFacts>(What, why);
}
