using System.Text;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>Writes the PDB of an image: public symbols, and procedures of a module as private PDBs have them.</summary>
public sealed class SyntheticPdb
{
    private const ushort Public = 0x110E;
    private const ushort LocalProcedure = 0x110F;
    private const ushort End = 0x0006;
    private const ushort LocalVariable = 0x1111;
    private const ushort NoStream = 0xFFFF;
    private const ushort SymbolStream = 5;
    private const ushort ModuleStream = 6;
    private const ushort SectionStream = 7;
    private const ushort RearrangedStream = 8;
    private const int Sections = 5;
    private const int Rearranged = 4;

    private readonly SyntheticImage _image;
    private readonly ByteWriter _publics = new();
    private readonly ByteWriter _module = new();

    public SyntheticPdb(SyntheticImage image)
    {
        _image = image;
        _module.U32(4);
    }

    public Guid Signature { get; init; }

    public uint Age { get; init; } = 1;

    /// <summary>The age in the info stream, which tools that add streams count on.</summary>
    public uint? InfoAge { get; init; }

    public ushort Machine { get; init; } = 0x8664;

    public int BlockSize { get; init; } = 512;

    /// <summary>Writes a table of how the image was rearranged after linking.</summary>
    public bool IsRearranged { get; init; }

    public SyntheticPdb PublicOf(string function) => PublicAt(_image[function].Rva, function);

    /// <param name="rva">From the image's base; in the section of code.</param>
    /// <param name="name">As it is written, decorated or not.</param>
    /// <param name="section">By number, from 1.</param>
    public SyntheticPdb PublicAt(uint rva, string name, ushort section = 1)
    {
        ByteWriter record = new();
        Record(_publics, record.U16(Public).U32(2).U32(rva - 0x1000).U16(section).Bytes(Encoding.UTF8.GetBytes(name)).U8(0));
        return this;
    }

    /// <summary>A static function with a variable of its own.</summary>
    public SyntheticPdb ProcedureOf(string function, string? name = null)
    {
        SyntheticFunction of = _image[function];
        ByteWriter record = new();
        int start = _module.Length;
        record.U16(LocalProcedure).U32(0).U32(0).U32(0).U32((uint)of.Size).U32(0).U32((uint)of.Size).U32(0x1000);
        Record(_module, record.U32(of.Rva - 0x1000).U16(1).U8(0).Bytes(Encoding.UTF8.GetBytes(name ?? function)).U8(0));
        Record(_module, new ByteWriter().U16(LocalVariable).U32(8).U32(0x74).U16(0x14F).Bytes("local"u8).U8(0));
        _module.PatchU32(start + 8, (uint)_module.Length);
        Record(_module, new ByteWriter().U16(End));
        return this;
    }

    /// <summary>A record of any kind among the public symbols.</summary>
    public SyntheticPdb Raw(ushort kind, params byte[] body)
    {
        Record(_publics, new ByteWriter().U16(kind).Bytes(body));
        return this;
    }

    public byte[] Build()
    {
        ByteWriter info = new();
        info.U32(20000404).U32(_image.TimeDateStamp).U32(InfoAge ?? Age).Bytes(Signature.ToByteArray()).U32(0).U32(0).U32(0).U32(0).U32(0);
        byte[]? rearranged = IsRearranged ? new ByteWriter().U32(0x1000).U32(0x1800).ToArray() : null;
        return MsfWriter.Encode(
            [[], info.ToArray(), [], DebugInformation(), null, _publics.ToArray(), _module.ToArray(), _image.SectionHeaders(), rearranged], BlockSize);
    }

    private static void Record(ByteWriter stream, ByteWriter record)
    {
        record.Fill(0xF1, (2 - (record.Length % 4) + 4) % 4);
        stream.U16((ushort)record.Length).Bytes(record.ToArray());
    }

    private byte[] DebugInformation()
    {
        ByteWriter modules = new();
        foreach (ushort stream in new[] { NoStream, ModuleStream })
        {
            modules.U32(0).Zeros(28).U16(0).U16(stream).U32(stream == NoStream ? 0 : (uint)_module.Length).U32(0).U32(0).U16(0).U16(0).U32(0).U32(0).U32(0);
            modules.Bytes("part.obj\0"u8).Bytes("library.lib\0"u8).Align(4);
        }

        ByteWriter streams = new();
        for (int i = 0; i < 11; i++)
        {
            streams.U16(i == Sections ? SectionStream : i == Rearranged && IsRearranged ? RearrangedStream : NoStream);
        }

        ByteWriter debug = new();
        debug.U32(uint.MaxValue).U32(19990903).U32(Age).U16(NoStream).U16(0x8E1D).U16(NoStream).U16(0).U16(SymbolStream).U16(0);
        debug.U32((uint)modules.Length).U32(8).U32(4).U32(12).U32(0).U32(0).U32((uint)streams.Length).U32(16).U16(0).U16(Machine).U32(0);
        return debug.Bytes(modules.ToArray()).Zeros(8 + 4 + 12 + 16).Bytes(streams.ToArray()).ToArray();
    }
}
