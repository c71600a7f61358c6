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
        => segments.Read(address, buffer, file, static (file, segment, offset, piece) => file.Read(unchecked(segment.FileOffset + offset), piece));
}
