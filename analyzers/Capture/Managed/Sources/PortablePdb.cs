using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Sources;

/// <summary>A portable PDB, known to be of one build of a module.</summary>
internal sealed class PortablePdb : IDisposable
{
    private const int SequencePointLimit = 200_000;
    private const int EmbeddedHeader = 8;
    private const int MostDocuments = 16;
    private const string Mapped = "/_";

    private static readonly Guid s_asyncStepping = new("54FD2AC5-E925-401A-9C2A-F94F171072F8");

    private readonly MetadataReaderProvider _provider;
    private readonly MetadataReader _reader;

    private PortablePdb(MetadataReaderProvider provider)
    {
        _provider = provider;
        _reader = provider.GetMetadataReader();
    }

    /// <summary>Opens a PDB file; null, with a clause about it, where it is none or of another build.</summary>
    public static PortablePdb? Open(string path, Guid id, long limit, out string problem)
    {
        problem = "it is larger than the limit, or not an ordinary file";
        if (!LocalFile.IsFit(path, limit))
        {
            return null;
        }

        return Guarded(() => Checked(MetadataReaderProvider.FromPortablePdbStream(File.OpenRead(path), MetadataStreamOptions.PrefetchMetadata), id), out problem);
    }

    /// <summary>Opens the PDB that is embedded in an image file; null where the image is of another build, or has none.</summary>
    public static PortablePdb? OpenEmbedded(string path, Guid id, long limit)
        => LocalFile.IsFit(path, limit) ? Guarded(() => Embedded(path, id, limit), out _) : null;

    /// <summary>Where in the source the instruction comes from; null where the PDB does not tell.</summary>
    public SourceLine? Find(int methodToken, int ilOffset, int nameLength)
        => Guarded(() => FindChecked(methodToken, ilOffset, nameLength), out _);

    /// <summary>Where in the source an await of an async method is; null where the PDB does not tell.</summary>
    /// <param name="moveNextToken">The method of the state machine that has the instructions.</param>
    /// <param name="state">The state in which the method is suspended at that await.</param>
    /// <param name="nameLength">Characters of the file's name.</param>
    public SourceLine? FindAwait(int moveNextToken, int state, int nameLength)
        => Guarded(() => AwaitOffset(moveNextToken, state) is int offset ? FindChecked(moveNextToken, offset, nameLength) : null, out _);

    /// <summary>Of its first documents that have a path of a kind.</summary>
    public SourceRoot Root
        => Guarded(() => (object)_reader.Documents.Take(MostDocuments)
            .Select(document => RootOf(_reader.GetString(_reader.GetDocument(document).Name)))
            .FirstOrDefault(root => root != SourceRoot.Unknown), out _) is SourceRoot known ? known : SourceRoot.Unknown;

    public void Dispose() => _provider.Dispose();

    private static SourceRoot RootOf(string path) => path switch
    {
        _ when path.StartsWith(Mapped, StringComparison.Ordinal) => SourceRoot.Mapped,
        ['/', ..] => SourceRoot.Unix,
        [_, ':', '\\' or '/', ..] => SourceRoot.Windows,
        _ => SourceRoot.Unknown,
    };

    private static PortablePdb? Embedded(string path, Guid id, long limit)
    {
        using PEReader image = new(File.OpenRead(path));
        ImmutableArray<DebugDirectoryEntry> entries = image.ReadDebugDirectory();
        if (!entries.Any(entry => entry.Type == DebugDirectoryEntryType.CodeView && image.ReadCodeViewDebugDirectoryData(entry).Guid == id))
        {
            return null;
        }

        foreach (DebugDirectoryEntry entry in entries.Where(entry => entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb))
        {
            // "MPDB", the size that it unpacks to, then the packed bytes.
            BlobReader header = image.GetSectionData(entry.DataRelativeVirtualAddress).GetReader(0, EmbeddedHeader);
            header.ReadInt32();
            if (header.ReadInt32() is > 0 and int size && size <= limit)
            {
                return Checked(image.ReadEmbeddedPortablePdbDebugDirectoryData(entry), id);
            }
        }

        return null;
    }

    private static PortablePdb? Checked(MetadataReaderProvider provider, Guid id)
    {
        try
        {
            if (provider.GetMetadataReader().DebugMetadataHeader is { Id.Length: >= 16 } header && new Guid(header.Id.AsSpan()[..16]) == id)
            {
                PortablePdb pdb = new(provider);
                provider = null!;
                return pdb;
            }

            return null;
        }
        finally
        {
            provider?.Dispose();
        }
    }

    // The offset of the catch block, then of each await where it yields, where it resumes, and the method that it resumes in, in
    // the order of the states (Portable PDB format, "Method Steppable Information": async method stepping).
    private int? AwaitOffset(int moveNextToken, int state)
    {
        foreach (CustomDebugInformationHandle handle in _reader.GetCustomDebugInformation(MetadataTokens.EntityHandle(moveNextToken)))
        {
            CustomDebugInformation information = _reader.GetCustomDebugInformation(handle);
            if (_reader.GetGuid(information.Kind) != s_asyncStepping)
            {
                continue;
            }

            BlobReader blob = _reader.GetBlobReader(information.Value);
            blob.ReadUInt32();
            for (int entry = 0; blob.RemainingBytes > 0; entry++)
            {
                uint yields = blob.ReadUInt32();
                blob.ReadUInt32();
                blob.ReadCompressedInteger();
                if (entry == state)
                {
                    return (int)yields;
                }
            }
        }

        return null;
    }

    private SourceLine? FindChecked(int methodToken, int ilOffset, int nameLength)
    {
        EntityHandle method = MetadataTokens.EntityHandle(methodToken);
        if (method.Kind != HandleKind.MethodDefinition)
        {
            return null;
        }

        MethodDebugInformation information = _reader.GetMethodDebugInformation(((MethodDefinitionHandle)method).ToDebugInformationHandle());
        SequencePoint? best = null;
        foreach (SequencePoint point in information.GetSequencePoints().Take(SequencePointLimit).TakeWhile(point => point.Offset <= ilOffset))
        {
            best = point.IsHidden ? best : point;
        }

        if (best is not { Document.IsNil: false } found)
        {
            return null;
        }

        string document = _reader.GetString(_reader.GetDocument(found.Document).Name);
        return document.Length is > 0 && document.Length <= nameLength ? SourceLine.Of(document, (uint)found.StartLine) : null;
    }

    // A file that lies makes the metadata reader throw.
    private static T? Guarded<T>(Func<T?> read, out string problem)
        where T : class
    {
        problem = "it is no portable PDB of this build";
        try
        {
            return read();
        }
        catch (Exception e) when (e is BadImageFormatException or IOException or UnauthorizedAccessException or InvalidOperationException
            or ArgumentException or NotSupportedException or OverflowException)
        {
            problem = $"it cannot be read: {Attempt.OneLine(e.Message)}";
            return null;
        }
    }
}
