using System.Buffers.Binary;
using System.Globalization;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// One pass over every object of the managed heap. It reads the heap in large pieces and steps through them by the sizes
/// of the types, so that an object which nobody wants costs a look at its method table.
/// </summary>
internal sealed class HeapWalk
{
    private const int WindowSize = 1 << 20;

    // Nothing that a visitor wants is as small, so no more than that is lost of it.
    private const ulong LargestUseless = 48;

    // A visitor sees this much of a large object; what else it needs it reads after the walk.
    private const int MostContent = 4096;

    // Not more than some progress a second.
    private const ulong BytesPerReport = 256 << 20;

    private readonly ClrHeap _heap;
    private readonly CaptureContext _context;
    private readonly HeapTypes _types;
    private readonly MemoryWindow _window;
    private readonly HeapHoles _holes;
    private readonly ObjectsBeingMade _made;
    private readonly IWatchedReader? _watch;
    private readonly int _pointerSize;

    // Where threads and the collector may still allocate: no objects stand there. In the order of addresses, as the walk is.
    private readonly MemoryRange[] _unused;
    private int _nextUnused;
    private ulong _reported;
    private ulong _walked;
    private ulong _total;
    private ulong _lost;
    private string? _whyLost;

    private HeapWalk(ClrRuntime runtime, CaptureContext context, IReadOnlyList<IHeapVisitor> visitors)
    {
        _heap = runtime.Heap;
        _context = context;
        _types = new HeapTypes(_heap, visitors);
        _window = new MemoryWindow(runtime.DataTarget.DataReader, WindowSize);
        _pointerSize = runtime.DataTarget.DataReader.PointerSize;
        _holes = new HeapHoles(_types, _window, _pointerSize);
        _made = new ObjectsBeingMade(runtime);
        _watch = runtime.DataTarget.DataReader as IWatchedReader;
        _unused = [.. _heap.EnumerateAllocationContexts().Where(range => range.Start != 0 && range.End > range.Start).OrderBy(range => range.Start)];
    }

    private ulong SmallestObject => (ulong)_pointerSize * 3;

    /// <summary>Shows every object to the visitors that want its type.</summary>
    /// <returns>What of the heap could not be walked; none where all of it was.</returns>
    /// <exception cref="OperationCanceledException">The context's token was cancelled.</exception>
    public static IReadOnlyList<Gap> Run(ClrRuntime runtime, CaptureContext context, params IReadOnlyList<IHeapVisitor> visitors)
    {
        const string what = "walk over the managed heap";
        context.Progress?.Report("heap");
        try
        {
            return runtime.Heap.CanWalkHeap
                ? new HeapWalk(runtime, context, visitors).Walk(what)
                : [new Gap(what, "the process was stopped in the middle of a garbage collection")];
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return [Attempt.Failed(what, e)];
        }
    }

    private IReadOnlyList<Gap> Walk(string what)
    {
        ClrSegment[] segments = [.. _heap.Segments.Where(segment => segment.ObjectRange.Length > 0).OrderBy(segment => segment.ObjectRange.Start)];
        _total = segments.Aggregate(0UL, (sum, segment) => sum + segment.ObjectRange.Length);
        foreach (ClrSegment segment in segments)
        {
            _context.Step();
            Walk(segment);
            _walked += segment.ObjectRange.Length;
        }

        return _whyLost is null ? [] : [new Gap(what, string.Create(CultureInfo.InvariantCulture, $"{_lost:N0} of {_total:N0} bytes were not walked: {_whyLost}"))];
    }

    private void Walk(ClrSegment segment)
    {
        ulong alignment = _pointerSize == sizeof(ulong) || segment.Kind is GCSegmentKind.Large or GCSegmentKind.Pinned ? 8UL : 4UL;
        ulong end = segment.ObjectRange.End;
        ulong address = segment.ObjectRange.Start;
        HeapType? last = null;
        ulong lastTable = 0;
        while (address < end)
        {
            if (NextUnused(address) is { } unused && unused.Start == address)
            {
                // The runtime keeps room for the smallest object behind what a thread may still allocate from.
                address = Math.Min(unused.End, end) + HeapType.Align(SmallestObject, alignment);
                continue;
            }

            ReadOnlySpan<byte> content = _window.At(address, 2 * _pointerSize, end);
            if (content.Length < 2 * _pointerSize)
            {
                address = Skip(segment, address, $"no memory at 0x{address:x}");
                continue;
            }

            ulong table = ReadPointer(content);
            last = table == lastTable ? last : _types.Of(table, address);
            lastTable = table;
            ulong size = last?.SizeOf(content, _pointerSize, alignment) ?? ulong.MaxValue;
            if (last is null || size > end - address)
            {
                address = Behind(segment, address, alignment, table == 0, $"what stands at 0x{address:x} is no object that ends within its segment");
                continue;
            }

            if (last.Visitors.Length > 0)
            {
                Show(last, address, size, end);
            }

            address += size;
            Report(segment, address);
        }
    }

    private void Show(HeapType type, ulong address, ulong size, ulong end)
    {
        int wanted = (int)Math.Min(size, MostContent);
        ReadOnlySpan<byte> content = _window.At(address, wanted, end);
        if (content.Length < wanted)
        {
            _whyLost ??= $"the object at 0x{address:x} is not whole in the input";
            return;
        }

        foreach (IHeapVisitor visitor in type.Visitors)
        {
            visitor.Visit(new HeapObject(address, type.Type, size, content[..wanted], _pointerSize));
        }
    }

    /// <summary>From where objects stand again: behind the next room that a thread allocates from; else the segment's end.</summary>
    private ulong Skip(ClrSegment segment, ulong address, string why)
    {
        ulong next = NextUnused(address + 1) is { } unused ? Math.Min(unused.Start, segment.ObjectRange.End) : segment.ObjectRange.End;
        _lost += next - address;
        _whyLost ??= why;
        return next;
    }

    /// <summary>The next object behind a hole or behind what is damaged.</summary>
    private ulong Behind(ClrSegment segment, ulong address, ulong alignment, bool isZero, string why)
    {
        ulong end = segment.ObjectRange.End;
        ulong start = isZero ? address : address + alignment;
        ulong next = _holes.Behind(start, NextUnused(start) is { } unused ? Math.Min(unused.Start, end) : end, end, alignment, out bool isExpected);
        if ((!isExpected || !isZero) && next - address > LargestUseless)
        {
            if (_made.Has(address))
            {
                _watch?.NoteUnused(address);
            }
            else
            {
                _lost += next - address;
                _whyLost ??= why;
            }
        }

        return next;
    }

    private void Report(ClrSegment segment, ulong address)
    {
        ulong done = _walked + (address - segment.ObjectRange.Start);
        if (done - _reported < WindowSize)
        {
            return;
        }

        _context.Step();
        if (_context.Progress is { } progress && done / BytesPerReport != _reported / BytesPerReport)
        {
            progress.Report(string.Create(CultureInfo.InvariantCulture, $"heap, {done >> 20} of {_total >> 20} MB"));
        }

        _reported = done;
    }

    private ulong ReadPointer(ReadOnlySpan<byte> content)
        => _pointerSize == sizeof(ulong) ? BinaryPrimitives.ReadUInt64LittleEndian(content) : BinaryPrimitives.ReadUInt32LittleEndian(content);

    private MemoryRange? NextUnused(ulong address)
    {
        while (_nextUnused < _unused.Length && _unused[_nextUnused].Start < address)
        {
            _nextUnused++;
        }

        return _nextUnused < _unused.Length ? _unused[_nextUnused] : null;
    }
}
