using System.Collections.Concurrent;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Damage;

/// <summary>Tells which segments of a core are zero from end to end: a hole of the disk's or of a copy's, where somebody reads them.</summary>
/// <param name="core">Reads the core.</param>
/// <param name="segments">What it holds, by address.</param>
internal sealed class ZeroedSegments(IDataReader core, IReadOnlyList<ElfSegment> segments)
{
    private const int ChunkSize = 1 << 16;
    private const int SmallRead = 4096;

    // A segment of zeros is looked at once; a program may have mapped gigabytes that it never used.
    private const ulong MostBytes = 64 << 20;

    // Most segments hold something somewhere, which a few looks show without reading all of a stack or of a heap.
    private const uint Looks = 16;

    private readonly ConcurrentDictionary<ulong, bool> _known = [];

    /// <summary>The first address of what was read that lies in such a segment; null where none does.</summary>
    public ulong? FirstIn(ulong address, ReadOnlySpan<byte> contents)
    {
        if (contents.Length <= SmallRead && !IsZero(contents))
        {
            return null;
        }

        while (!contents.IsEmpty)
        {
            if (segments.Find(address) is not { } segment)
            {
                return null;
            }

            int inSegment = (int)Math.Min((ulong)contents.Length, segment.FileSize - (address - segment.Address));
            if (IsZero(contents[..inSegment]) && IsZeroed(segment))
            {
                return address;
            }

            address += (uint)inSegment;
            contents = contents[inSegment..];
        }

        return null;
    }

    /// <summary>The segment may be zero: it is told of no more.</summary>
    public void Allow(ElfSegment segment) => _known[segment.Address] = false;

    private bool IsZeroed(ElfSegment segment)
    {
        if (!_known.TryGetValue(segment.Address, out bool isZeroed))
        {
            isZeroed = segment.FileSize <= MostBytes && LooksZero(segment) && ReadsAsZero(segment);
            _known[segment.Address] = isZeroed;
        }

        return isZeroed;
    }

    private bool LooksZero(ElfSegment segment)
    {
        Span<byte> page = stackalloc byte[SmallRead];
        ulong part = segment.FileSize / Looks;
        for (uint look = 0; look < Looks; look++)
        {
            // What lies behind the segment says nothing of it.
            Span<byte> wanted = page[..(int)Math.Min((uint)page.Length, segment.FileSize - (part * look))];
            int read = core.Read(unchecked(segment.Address + (part * look)), wanted);
            if (!IsZero(wanted[..read]))
            {
                return false;
            }
        }

        return true;
    }

    // From its end: of a thread's stack no more than that may ever have been used.
    private bool ReadsAsZero(ElfSegment segment)
    {
        byte[] chunk = new byte[Math.Min(segment.FileSize, ChunkSize)];
        for (ulong left = segment.FileSize; left > 0;)
        {
            Span<byte> wanted = chunk.AsSpan(0, (int)Math.Min((uint)chunk.Length, left));
            left -= (uint)wanted.Length;
            int read = core.Read(unchecked(segment.Address + left), wanted);
            if (read < wanted.Length || !IsZero(wanted))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsZero(ReadOnlySpan<byte> bytes) => !bytes.ContainsAnyExcept((byte)0);
}
