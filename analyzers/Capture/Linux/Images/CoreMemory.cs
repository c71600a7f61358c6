using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Images;

/// <summary>
/// The memory whose contents are in a core, and no more. The kernel lists a range of memory and writes its first page, or
/// nothing of it; ClrMD reads on behind that page, into what the core holds next.
/// </summary>
/// <param name="core">Reads the core.</param>
/// <param name="segments">What it holds, by address.</param>
internal sealed class CoreMemory(IDataReader core, IReadOnlyList<ElfSegment> segments)
{
    /// <returns>Bytes read: short where the core does not go on.</returns>
    public int Read(ulong address, Span<byte> buffer)
        => segments.Read(address, buffer, core, static (core, segment, offset, piece) => core.Read(unchecked(segment.Address + offset), piece));

    /// <summary>Whether the core holds every byte from start up to end.</summary>
    public bool Holds(ulong start, ulong end)
    {
        while (start < end && segments.Find(start) is { } segment)
        {
            start = segment.Address + segment.FileSize;
        }

        return start >= end;
    }

    /// <summary>Where the core's contents go on behind the address; the highest address where they do not.</summary>
    public ulong NextAfter(ulong address)
    {
        int next = segments.IndexAfter(address);
        return next < segments.Count ? segments[next].Address : ulong.MaxValue;
    }
}
