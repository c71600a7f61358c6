using System.IO.Compression;

namespace HangTriage.Traces.Files;

/// <summary>How a trace is packed.</summary>
internal sealed class PackedTrace
{
    /// <summary>What the files in archives that hold traces are called. PerfView adds its log and symbols to an archive.</summary>
    private static readonly string[] s_endings = [".etl", ".nettrace"];

    private readonly Func<Stream, Stream> _open;

    private PackedTrace(Func<Stream, Stream> open) => _open = open;

    /// <summary>Null where the bytes begin no gzip or zip file.</summary>
    public static PackedTrace? FormatOf(ReadOnlySpan<byte> head)
        => head.StartsWith("PK\x03\x04"u8) ? new PackedTrace(Entry)
            : head.Length > 2 && head[0] == 0x1F && head[1] == 0x8B ? new PackedTrace(packed => new GZipStream(packed, CompressionMode.Decompress))
            : null;

    /// <summary>The unpacked bytes.</summary>
    /// <exception cref="TraceOpenException">It holds no trace, or several.</exception>
    public Stream Open(Stream packed) => _open(packed);

    private static Stream Entry(Stream packed)
    {
        ZipArchive zip = new(packed, ZipArchiveMode.Read);
        ZipArchiveEntry[] files = [.. zip.Entries.Where(entry => !entry.FullName.EndsWith('/'))];
        ZipArchiveEntry[] traces = [.. files.Where(entry => s_endings.Any(ending => entry.Name.EndsWith(ending, StringComparison.OrdinalIgnoreCase)))];
        return traces.Length == 1 ? traces[0].Open()
            : traces.Length == 0 && files.Length == 1 ? files[0].Open()
            : throw new TraceOpenException($"the zip archive holds {files.Length} files, of which {traces.Length} are named as traces; expected exactly one");
    }
}
