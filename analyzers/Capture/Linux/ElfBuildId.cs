namespace HangTriage.Capture.Linux;

/// <summary>Reads the build id of an ELF file: the linker's fingerprint of its contents (note NT_GNU_BUILD_ID).</summary>
internal static class ElfBuildId
{
    private const uint NoteType = 3;
    private const int NoteSize = 1 << 20;
    private const int SegmentLimit = 1_024;

    /// <summary>Null where the file cannot be read, is no ELF file or has no build id.</summary>
    public static byte[]? Of(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            ElfFields elf = ElfFields.Open(file);
            return elf.Segments(SegmentLimit)
                .Where(segment => segment.Type == ElfSegment.Note)
                .SelectMany(segment => ElfNote.Parse(elf.Contents(segment, NoteSize)))
                .FirstOrDefault(note => note is { Owner: "GNU", Type: NoteType })?.Contents.ToArray();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            return null;
        }
    }
}
