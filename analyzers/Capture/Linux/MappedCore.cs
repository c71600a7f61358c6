using HangTriage.Capture.Files;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux;

/// <summary>
/// Shows a core with its memory read out of the mapped file: ClrMD's own reader of cores asks the system for 4 KB at every jump from one
/// place to another.
/// </summary>
/// <param name="core">ClrMD's reader, for all but the memory.</param>
/// <param name="file">The core; stays the caller's.</param>
/// <param name="segments">What it holds, by address.</param>
internal sealed class MappedCore(IDataReader core, MappedFile file, IReadOnlyList<ElfSegment> segments) : CoreLayer(core)
{
    public override bool IsParallel => true;

    /// <returns>Bytes read: short where the core does not go on.</returns>
    public override int Read(ulong address, Span<byte> buffer)
    {
        int read = 0;
        while (read < buffer.Length && segments.Find(unchecked(address + (uint)read)) is { } segment)
        {
            ulong offset = unchecked(address + (uint)read) - segment.Address;
            int wanted = (int)Math.Min((ulong)(buffer.Length - read), segment.FileSize - offset);
            int more = file.Read(unchecked(segment.FileOffset + offset), buffer.Slice(read, wanted));
            read += more;
            if (more < wanted)
            {
                break;
            }
        }

        return read;
    }
}
