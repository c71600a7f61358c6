using System.Buffers.Binary;
using System.Security.Cryptography;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// What a collection changes and nothing else does: where the objects lie that have outlived one. New objects go to the youngest
/// generation, which is not in it, nor are large and pinned objects, which are made in generations of their own.
/// </summary>
internal static class HeapMark
{
    private const int Kept = 8;

    /// <returns>The same for two captures of a process between which no object of the others has moved.</returns>
    public static string Of(ClrHeap heap)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        Span<byte> word = stackalloc byte[sizeof(ulong)];
        foreach (ClrSegment segment in heap.Segments
            .Where(segment => segment.Kind is GCSegmentKind.Ephemeral or GCSegmentKind.Generation1 or GCSegmentKind.Generation2)
            .OrderBy(segment => segment.Start))
        {
            (MemoryRange younger, MemoryRange older) = (segment.Generation1, segment.Generation2);
            foreach (ulong end in (ulong[])[younger.Start, younger.End, older.Start, older.End])
            {
                BinaryPrimitives.WriteUInt64LittleEndian(word, end);
                hash.AppendData(word);
            }
        }

        return Convert.ToHexString(hash.GetHashAndReset().AsSpan(0, Kept));
    }
}
