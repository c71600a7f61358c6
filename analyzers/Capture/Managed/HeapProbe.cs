using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// Proves that the managed heap is in the input. A mini core holds the runtime's descriptions of its heap but not the
/// heap: ClrMD then says that it can be walked, lists its segments, and answers "no sync block" and "no handle".
/// </summary>
internal sealed class HeapProbe
{
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
            int used = 0;
            int readable = 0;
            foreach (ClrSegment segment in runtime.Heap.Segments)
            {
                if (segment.ObjectRange.Length > 0)
                {
                    used++;
                    readable += IsReadable(runtime, segment) ? 1 : 0;
                }
            }

            string? missing = (used, readable) switch
            {
                (0, _) => "the runtime lists no heap segment in use",
                (_, 0) => "the heap is not in the input: it was written as a mini dump; make one with heap or a full one",
                _ => null,
            };
            return new HeapProbe(
                missing,
                missing is null ? Types(runtime) : null,
                readable > 0 && readable < used ? [new Gap("managed heap", $"{used - readable} of {used} segments are not in the input")] : []);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return new HeapProbe(Attempt.Failed("heap", e).Why, null, []);
        }
    }

    /// <summary>The segment's first object has a type, and its last word is there.</summary>
    private static bool IsReadable(ClrRuntime runtime, ClrSegment segment)
    {
        IDataReader reader = runtime.DataTarget.DataReader;
        return runtime.Heap.GetObjectType(segment.ObjectRange.Start) is not null
            && reader.ReadPointer(unchecked(segment.ObjectRange.End - (uint)reader.PointerSize), out _);
    }

    private static string? Types(ClrRuntime runtime)
        => runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Monitor") is not null
            ? null
            : "the core library's metadata is not in the input: it was written without the pages that are mapped from files; "
                + "dotnet-dump and createdump write them";
}
