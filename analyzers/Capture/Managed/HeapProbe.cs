using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// Proves that the managed heap is in the input. A mini core holds the runtime's descriptions of its heap but not the
/// heap: ClrMD then says that it can be walked, lists its segments, and answers "no sync block" and "no handle".
/// </summary>
internal sealed class HeapProbe
{
    // Each look can cost a read from a cold disk, and a large heap has thousands of segments.
    private const int MostLooks = 1024;
    private const int MostLooksInSegment = 16;

    private HeapProbe(string? missing, string? typesMissing, IReadOnlyList<Gap> partial)
    {
        Missing = missing;
        TypesMissing = typesMissing;
        Partial = partial;
    }

    /// <summary>Why nothing that rests on the heap can be read; null where the heap is there.</summary>
    public string? Missing { get; }

    /// <summary>
    /// Why types, fields and methods of managed code have no names; null where they do. A core that a debugger or the
    /// kernel wrote has the heap but leaves out what was mapped from files: there no Monitor is found on any stack.
    /// </summary>
    public string? TypesMissing { get; }

    /// <summary>Parts of the heap that are missing.</summary>
    public IReadOnlyList<Gap> Partial { get; }

    public static HeapProbe Run(ClrRuntime runtime)
    {
        try
        {
            ClrSegment[] used = [.. runtime.Heap.Segments.Where(segment => segment.ObjectRange.Length > 0)];
            int looks = Math.Clamp(MostLooks / Math.Max(used.Length, 1), 1, MostLooksInSegment);
            ClrSegment[] readable = [.. used.Where(segment => IsReadable(runtime, segment, looks))];
            string? missing = (used.Length, Size(readable) * 2 < Size(used)) switch
            {
                (0, _) => "the heap is not in the input: the runtime lists no segment of it that is in use",
                (_, true) => "the heap is not in the input: it was written as a mini dump; make one with heap or a full one",
                _ => null,
            };
            return new HeapProbe(
                missing,
                missing is null ? Types(runtime) : null,
                missing is null && readable.Length < used.Length
                    ? [new Gap("managed heap", $"{used.Length - readable.Length} of {used.Length} segments are not in the input, or not whole") { IsLoss = true }]
                    : []);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return new HeapProbe(Attempt.Failed("heap", e).Why, null, []);
        }
    }

    // A mini core holds the pages of the heap that the runtime happened to need when it described itself.
    private static ulong Size(IEnumerable<ClrSegment> segments)
        => segments.Aggregate(0UL, (sum, segment) => unchecked(sum + segment.ObjectRange.Length));

    /// <summary>The segment's first object has a type, and as many words all over it are there, and its last.</summary>
    private static bool IsReadable(ClrRuntime runtime, ClrSegment segment, int looks)
    {
        IDataReader reader = runtime.DataTarget.DataReader;
        ulong last = segment.ObjectRange.Length - Math.Min((uint)reader.PointerSize, segment.ObjectRange.Length);
        return runtime.Heap.GetObjectType(segment.ObjectRange.Start) is not null
            && Enumerable.Range(1, looks).All(look => reader.ReadPointer(unchecked(segment.ObjectRange.Start + (last / (uint)looks * (uint)look)), out _))
            && reader.ReadPointer(unchecked(segment.ObjectRange.Start + last), out _);
    }

    private static string? Types(ClrRuntime runtime)
        => runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Monitor") is not null
            ? null
            : "the core library's metadata is not in the input: it was written without the pages that are mapped from files; "
                + "dotnet-dump and createdump write them";
}
