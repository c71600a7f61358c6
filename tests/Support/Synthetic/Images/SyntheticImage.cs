using System.Text;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>
/// A 64-bit DLL as it lies in memory: headers, code, data, exports and unwind data. Functions are laid out in the order
/// of their declaration, so that a function that is not exported lies behind an export, as in real images.
/// </summary>
public sealed class SyntheticImage
{
    private const uint TextRva = 0x1000;
    private const int ExportTable = 0;
    private const int ExceptionTable = 3;
    private const int DebugTable = 6;

    private readonly uint _textSize;
    private readonly SyntheticMemory _data;
    private readonly List<SyntheticFunction> _functions = [];
    private readonly List<SyntheticExport> _exports = [];
    private uint _nextFunction = TextRva;
    private int _nextData;
    private byte[] _codeView = [];

    /// <param name="path">The full path, as Windows writes it.</param>
    /// <param name="imageBase">Where it is loaded.</param>
    /// <param name="textSize">Room for code, in whole pages.</param>
    /// <param name="dataSize">Room for data, in whole pages.</param>
    public SyntheticImage(string path, ulong imageBase, uint textSize = 0x4000, uint dataSize = 0x1000)
    {
        (Path, Base, _textSize) = (path, imageBase, textSize);
        _data = new SyntheticMemory(imageBase + TextRva + textSize, (int)dataSize);
    }

    public string Path { get; }

    public string Name => Path[(Path.LastIndexOf('\\') + 1)..];

    public ulong Base { get; }

    public uint TimeDateStamp { get; init; } = 0x57BE_1234;

    public uint CheckSum { get; init; } = 0x0001_ABCD;

    public Version? FileVersion { get; init; }

    public uint OrdinalBase { get; init; } = 1;

    public IReadOnlyList<SyntheticFunction> Functions => _functions;

    public SyntheticFunction this[string function]
        => _functions.Find(candidate => candidate.Name == function)
            ?? throw new ArgumentException($"{Name} has no function {function}.", nameof(function));

    /// <summary>Declares a function with unwind data. Without a prolog it has only home space for its callees.</summary>
    public SyntheticImage Function(string name, int size, bool exported = false, Action<SyntheticProlog>? prolog = null)
        => Add(SyntheticFunction.WithFrame(this, name, _nextFunction, size, Declare(prolog), null), exported);

    /// <summary>Declares a part of a function that lies apart and extends its frame: chained unwind data.</summary>
    public SyntheticImage Chained(string name, string parent, int size, Action<SyntheticProlog> prolog)
        => Add(SyntheticFunction.WithFrame(this, name, _nextFunction, size, Declare(prolog), this[parent]), false);

    /// <summary>Declares a function without unwind data. It calls nobody.</summary>
    public SyntheticImage Leaf(string name, byte[] code, bool exported = false, int offset = 0)
        => Add(SyntheticFunction.Leaf(this, name, _nextFunction, code, offset), exported);

    /// <summary>Declares a system call's stub; a thread in it is behind its syscall instruction.</summary>
    public SyntheticImage SystemCall(string name, uint number)
        => Leaf(name, Instructions.SystemCall(number), exported: true, offset: 0x14);

    public SyntheticImage Forwarder(string name, string target) => Export(new SyntheticExport(name, 0, target));

    /// <summary>Exports something else than a declared function: data, an alias, an ordinal without a name.</summary>
    public SyntheticImage Export(SyntheticExport export)
    {
        _exports.Add(export);
        return this;
    }

    /// <summary>Names the PDB in the image and in the module list.</summary>
    public SyntheticImage Pdb(string name, Guid signature, uint age)
    {
        ByteWriter record = new();
        _codeView = record.U32(0x5344_5352).Bytes(signature.ToByteArray()).U32(age).Bytes(Encoding.ASCII.GetBytes(name)).U8(0).ToArray();
        return this;
    }

    /// <summary>Reserves data of the image and says where it lies; write to it with <see cref="Data"/>.</summary>
    public ulong ReserveData(int size)
    {
        ulong address = _data.Address + (ulong)_nextData;
        _nextData += (size + 15) / 16 * 16;
        return _nextData <= _data.Bytes.Length ? address : throw new InvalidOperationException($"{Name} has no room for {size} bytes of data.");
    }

    /// <summary>The image's data section, by offset from its start.</summary>
    public SyntheticMemory Data => _data;

    public SyntheticModule ToModule() => new()
    {
        Base = Base,
        Size = (uint)ToMemory().Bytes.Length,
        Path = Path,
        TimeDateStamp = TimeDateStamp,
        CheckSum = CheckSum,
        FileVersion = FileVersion,
        CodeView = _codeView,
    };

    /// <summary>The image as it is mapped.</summary>
    public SyntheticMemory ToMemory()
    {
        ImageSection[] sections = Sections(out Dictionary<int, (uint Rva, uint Size)> directories);
        SyntheticMemory memory = new(Base, (int)ImageHeaders.Aligned(sections[^1].End, ImageHeaders.SectionAlignment));
        memory.Copy(0, ImageHeaders.Encode(this, sections, directories));
        Array.ForEach(sections, section => memory.Copy((int)section.Rva, section.Bytes));
        return memory;
    }

    /// <summary>The image as the file that it is mapped from.</summary>
    public byte[] ToFile()
    {
        ImageSection[] sections = Sections(out Dictionary<int, (uint Rva, uint Size)> directories);
        ByteWriter file = new();
        file.Bytes(ImageHeaders.Encode(this, sections, directories)).Align((int)ImageHeaders.Size);
        foreach (ImageSection section in sections)
        {
            file.Bytes(section.Bytes).Align((int)ImageHeaders.FileAlignment);
        }

        return file.ToArray();
    }

    /// <summary>The section headers, as a PDB repeats them.</summary>
    internal byte[] SectionHeaders() => ImageHeaders.EncodeSections(Sections(out _));

    private ImageSection[] Sections(out Dictionary<int, (uint Rva, uint Size)> directories)
    {
        directories = [];
        ByteWriter text = new();
        foreach (SyntheticFunction function in _functions)
        {
            text.Fill(0xCC, (int)(function.Rva - TextRva) - text.Length).Bytes(function.Code);
        }

        uint dataRva = (uint)(_data.Address - Base);
        uint readOnlyRva = dataRva + (uint)_data.Bytes.Length;
        (byte[] readOnly, byte[] entries) = EncodeTables(readOnlyRva, directories);
        uint entriesRva = ImageHeaders.Aligned(readOnlyRva + (uint)readOnly.Length, ImageHeaders.SectionAlignment);
        directories[ExceptionTable] = (entriesRva, (uint)entries.Length);
        return
        [
            new(".text", TextRva, text.Fill(0xCC, (int)_textSize - text.Length).ToArray(), ImageSection.Code),
            new(".data", dataRva, _data.Bytes, ImageSection.WritableData),
            new(".rdata", readOnlyRva, readOnly, ImageSection.ReadOnlyData),
            new(".pdata", entriesRva, entries, ImageSection.ReadOnlyData),
        ];
    }

    private (byte[] ReadOnly, byte[] Entries) EncodeTables(uint rva, Dictionary<int, (uint Rva, uint Size)> directories)
    {
        ByteWriter tables = new();
        if (_exports.Count > 0)
        {
            tables.Bytes(ExportDirectory.Encode(Name, _exports, rva, OrdinalBase, TimeDateStamp));
            directories[ExportTable] = (rva, (uint)tables.Length);
        }

        if (_codeView.Length > 0)
        {
            uint record = rva + (uint)tables.Align(4).Length;
            tables.Bytes(_codeView).Align(4);
            directories[DebugTable] = (rva + (uint)tables.Length, 28);
            tables.U32(0).U32(TimeDateStamp).U32(0).U32(2).U32((uint)_codeView.Length).U32(record).U32(record);
        }

        byte[] entries = EncodeUnwind(tables, rva);
        return (tables.ToArray(), entries);
    }

    private byte[] EncodeUnwind(ByteWriter tables, uint rva)
    {
        ByteWriter entries = new();
        Dictionary<SyntheticFunction, byte[]> written = [];
        foreach (SyntheticFunction function in _functions.Where(function => function.Prolog is not null))
        {
            tables.Align(4);
            ByteWriter entry = new();
            entry.U32(function.Rva).U32(function.Rva + (uint)function.Size).U32(rva + (uint)tables.Length);
            written[function] = entry.ToArray();
            entries.Bytes(written[function]);
            tables.Bytes(UnwindInfo.Encode(function, function.Parent is null ? [] : written[function.Parent]));
        }

        return entries.ToArray();
    }

    private static SyntheticProlog Declare(Action<SyntheticProlog>? declare)
    {
        SyntheticProlog prolog = new();
        (declare ?? (bare => bare.Alloc(0x28)))(prolog);
        return prolog;
    }

    private SyntheticImage Add(SyntheticFunction function, bool exported)
    {
        _nextFunction = ImageHeaders.Aligned(function.Rva + (uint)function.Size, 16);
        if (_nextFunction > TextRva + _textSize)
        {
            throw new InvalidOperationException($"{Name} has no room for {function.Name}.");
        }

        _functions.Add(function);
        function.IsExported = exported;
        return exported ? Export(new SyntheticExport(function.Name, function.Rva)) : this;
    }
}
