namespace HangTriage.Tests.Capture.Linux;

/// <summary>Several pieces of memory, whole pages of which are read: what stands around a piece reads as zero.</summary>
internal sealed class MemoryPieces(params (ulong Start, byte[] Content)[] pieces) : PartialMemory
{
    private const ulong Page = 4096;

    public override int Read(ulong address, Span<byte> buffer)
    {
        buffer.Clear();
        bool any = false;
        for (int index = 0; index < buffer.Length; index++)
        {
            ulong at = address + (ulong)index;
            foreach ((ulong start, byte[] content) in pieces)
            {
                if (at - start < (ulong)content.Length)
                {
                    buffer[index] = content[at - start];
                }

                any |= at / Page >= start / Page && at / Page <= (start + (ulong)content.Length) / Page;
            }
        }

        return any ? buffer.Length : 0;
    }
}
