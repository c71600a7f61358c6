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
            return Of(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <param name="image">An ELF file, or its first pages: those hold the build id as a rule.</param>
    public static byte[]? Of(Stream image)
    {
        try
        {
            ElfFields elf = ElfFields.Open(image);
            return elf.Segments(SegmentLimit)
                .Where(segment => segment.Type == ElfSegment.Note)
                .SelectMany(segment => Notes(elf, segment))
                .FirstOrDefault(note => note is { Owner: "GNU", Type: NoteType })?.Contents.ToArray();
        }
        catch (Exception e) when (e is IOException or InvalidDataException)
        {
            return null;
        }
    }

    private static IEnumerable<ElfNote> Notes(ElfFields elf, ElfSegment segment)
    {
        try
        {
            return ElfNote.Parse(elf.Contents(segment, NoteSize));
        }
        catch (InvalidDataException)
        {
            // Notes that lie behind the pages that are here.
            return [];
        }
    }
}
