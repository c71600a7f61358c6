using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Pdb;

/// <summary>
/// A PDB 7.0: whose it is, and where its symbols lie ("The PDB Info Stream" and "The PDB DBI Stream" of the LLVM
/// project). The file must not be cut while it is open.
/// </summary>
internal sealed class PdbFile : IDisposable
{
    private const int InfoStream = 1;
    private const int DebugStream = 3;
    private const int InfoSize = 28; // version, time, age, GUID
    private const int DebugHeaderSize = 64;
    private const int ModuleRecordSize = 64; // without its two names
    private const int MaxModules = 65_536;
    private const int MaxModuleNames = 4_096;
    private const ushort NoStream = ushort.MaxValue;
    private const ushort MachineX86 = 0x14C;

    private readonly MappedFile _file;
    private readonly MsfFile _msf;
    private readonly MsfStream _debug;
    private readonly byte[] _header;
    private readonly Guid _signature;
    private readonly uint _age;

    private PdbFile(MappedFile file, MsfFile msf, MsfStream debug, byte[] header, Guid signature, uint age)
    {
        _file = file;
        _msf = msf;
        _debug = debug;
        _header = header;
        _signature = signature;
        _age = age;
    }

    /// <summary>Its names carry the calling convention's marks of 32-bit x86.</summary>
    public bool IsX86 => U16(58) == MachineX86;

    /// <summary>The number of the stream of public and global symbols.</summary>
    public ushort SymbolStream => U16(20);

    public MsfStream? Symbols => Stream(SymbolStream);

    /// <summary>The image's section headers (IMAGE_SECTION_HEADER each), which symbols are counted from.</summary>
    public MsfStream? Sections => DebugData(5);

    /// <summary>The image was rearranged after linking: symbols lie elsewhere than they say.</summary>
    public bool IsRearranged => DebugData(4) is not null;

    /// <summary>Null where the file cannot be read or is no PDB 7.0 with debug information.</summary>
    /// <param name="path">The file.</param>
    /// <param name="maxBytes">Files that are larger are not opened.</param>
    /// <param name="why">A clause about the file.</param>
    public static PdbFile? Open(string path, long maxBytes, out string why)
    {
        MappedFile? file = null;
        try
        {
            file = MappedFile.Open(path);
            PdbFile? pdb = file.Length <= (ulong)maxBytes ? Read(file) : null;
            why = pdb is null ? "a file of its name in the symbol path is no PDB 7.0 that can be read" : "";
            if (pdb is null)
            {
                file.Dispose();
            }

            return pdb;
        }
        catch (TargetOpenException e)
        {
            why = $"a file of its name in the symbol path cannot be used: {e.Message}";
            return null;
        }
    }

    /// <summary>Whether an image names this PDB. The age is the debug stream's; some linkers count in the info stream alone.</summary>
    public bool Is(PdbId id) => id.Signature == _signature && (id.Age == U32(8) || id.Age == _age);

    public MsfStream? Stream(ushort number) => number == NoStream ? null : _msf.Stream(number);

    /// <summary>The streams of symbols of the modules that were linked, and how many bytes of each are symbols.</summary>
    public IEnumerable<(ushort Stream, uint Size)> ModuleStreams()
    {
        byte[] record = new byte[ModuleRecordSize + MaxModuleNames];
        ulong at = DebugHeaderSize;
        ulong end = Math.Min(at + U32(24), _debug.Length);
        for (int i = 0; i < MaxModules && at + ModuleRecordSize <= end; i++)
        {
            int read = _debug.Read(at, record);
            int name = ModuleRecordSize > read ? -1 : record.AsSpan(ModuleRecordSize, read - ModuleRecordSize).IndexOf((byte)0);
            int file = name < 0 ? -1 : record.AsSpan(ModuleRecordSize + name + 1, read - ModuleRecordSize - name - 1).IndexOf((byte)0);
            if (file < 0)
            {
                yield break;
            }

            yield return (BinaryPrimitives.ReadUInt16LittleEndian(record.AsSpan(34)), BinaryPrimitives.ReadUInt32LittleEndian(record.AsSpan(36)));
            at += (ulong)(ModuleRecordSize + name + 1 + file + 1 + 3) & ~3UL;
        }
    }

    public void Dispose() => _file.Dispose();

    private static PdbFile? Read(MappedFile file)
    {
        Span<byte> info = stackalloc byte[InfoSize];
        byte[] header = new byte[DebugHeaderSize];
        return MsfFile.Open(file) is { } msf
            && msf.Stream(InfoStream)?.TryRead(0, info) == true
            && msf.Stream(DebugStream) is { } debug
            && debug.TryRead(0, header)
            && BinaryPrimitives.ReadInt32LittleEndian(header) == -1 // else the header of before version 4
                ? new PdbFile(file, msf, debug, header, new Guid(info[12..28]), BinaryPrimitives.ReadUInt32LittleEndian(info[8..]))
                : null;
    }

    /// <summary>A stream that the debug stream's last part, an array of stream numbers, names.</summary>
    private MsfStream? DebugData(int index)
    {
        ulong at = DebugHeaderSize;
        foreach (int size in new[] { 24, 28, 32, 36, 40, 52 }) // modules, contributions, section map, sources, type servers, edit and continue
        {
            at += U32(size);
        }

        Span<byte> number = stackalloc byte[sizeof(ushort)];
        return (uint)(index + 1) * sizeof(ushort) <= U32(48) && _debug.TryRead(at + ((ulong)index * sizeof(ushort)), number)
            ? Stream(BinaryPrimitives.ReadUInt16LittleEndian(number))
            : null;
    }

    private ushort U16(int offset) => BinaryPrimitives.ReadUInt16LittleEndian(_header.AsSpan(offset));

    private uint U32(int offset) => BinaryPrimitives.ReadUInt32LittleEndian(_header.AsSpan(offset));
}
