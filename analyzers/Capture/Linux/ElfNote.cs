namespace HangTriage.Capture.Linux;

/// <summary>An entry of a note segment.</summary>
/// <param name="Owner">Who defines the type: "CORE", "GNU".</param>
/// <param name="Type">What the contents are.</param>
/// <param name="Contents">The bytes.</param>
internal sealed record ElfNote(string Owner, uint Type, ReadOnlyMemory<byte> Contents)
{
    private const int NoteLimit = 1_000_000;

    /// <summary>The notes of one segment, up to the first that does not fit in it.</summary>
    public static IEnumerable<ElfNote> Parse(ReadOnlyMemory<byte> bytes)
    {
        long at = 0;
        for (int count = 0; count < NoteLimit && bytes.Length - at >= 12; count++)
        {
            ReadOnlySpan<byte> header = bytes.Span[(int)at..];
            uint ownerSize = ElfFields.U32(header, 0);
            uint size = ElfFields.U32(header, 4);
            uint type = ElfFields.U32(header, 8);
            long contents = at + 12 + Align(ownerSize);
            if (contents + size > bytes.Length)
            {
                yield break;
            }

            string owner = System.Text.Encoding.ASCII.GetString(bytes.Span.Slice((int)at + 12, (int)Math.Min(ownerSize, 32))).TrimEnd('\0');
            yield return new ElfNote(owner, type, bytes.Slice((int)contents, (int)size));
            at = Math.Min(contents + Align(size), bytes.Length);
        }
    }

    private static long Align(uint size) => (size + 3L) & ~3L;
}
