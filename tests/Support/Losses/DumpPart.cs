namespace HangTriage.Tests.Support.Losses;

/// <summary>A part of a dump that can be lost by itself: a segment, a stream, a range of memory.</summary>
/// <param name="Name">Its kind and its number in the file.</param>
/// <param name="Holds">In a few words: the file that is mapped there, whose stack it is.</param>
/// <param name="Offset">Where its contents start in the file.</param>
/// <param name="Size">Bytes of its contents in the file.</param>
/// <param name="Losses">How it can be lost.</param>
public sealed record DumpPart(string Name, string Holds, long Offset, long Size, IReadOnlyList<Loss> Losses)
{
    /// <summary>The parts of a core or a minidump.</summary>
    public static IReadOnlyList<DumpPart> Of(string path)
    {
        byte[] file = File.ReadAllBytes(path);
        return file.AsSpan().StartsWith("MDMP"u8) ? new MinidumpParts(file).All() : new CoreParts(file).All();
    }
}
