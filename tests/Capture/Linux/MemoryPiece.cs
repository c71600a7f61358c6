namespace HangTriage.Tests.Capture.Linux;

/// <summary>A process of 64 bits of which one piece of memory is there.</summary>
internal sealed class MemoryPiece(ulong start, byte[] content) : PartialMemory
{
    public override int Read(ulong address, Span<byte> buffer)
    {
        if (address < start || address >= start + (uint)content.Length)
        {
            return 0;
        }

        ReadOnlySpan<byte> rest = content.AsSpan((int)(address - start));
        int read = Math.Min(rest.Length, buffer.Length);
        rest[..read].CopyTo(buffer);
        return read;
    }
}
