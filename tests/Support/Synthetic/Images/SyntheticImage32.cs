using System.Text;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>A 32-bit image as it lies in memory: headers, one page of code, exports, one page of data.</summary>
public sealed class SyntheticImage32(string path, uint imageBase)
{
    public const uint CodeRva = 0x1000;
    public const uint DataRva = 0x3000;
    private const uint ExportsRva = 0x2000;
    private const int Size = 0x4000;

    private readonly List<SyntheticExport> _exports = [];
    private readonly byte[] _code = [.. Enumerable.Repeat((byte)0x90, 0x1000)];

    public uint Base => imageBase;

    public SyntheticMemory Data { get; } = new(imageBase + DataRva, 0x1000);

    public SyntheticImage32 Export(string name, uint rva, params byte[] code)
    {
        _exports.Add(new SyntheticExport(name, rva));
        code.CopyTo(_code, rva - CodeRva);
        return this;
    }

    /// <summary>Puts a call (E8) that returns to the place, and says where that is.</summary>
    public uint CallBefore(uint rva)
    {
        _code[rva - CodeRva - 5] = 0xE8;
        return imageBase + rva;
    }

    /// <summary>A system call's stub of WoW64 in Windows 7; a thread in it is 0x15 bytes behind its start.</summary>
    public SyntheticImage32 SystemCall(string name, uint rva, byte number, byte arguments)
        => Export(
            name, rva, 0xB8, number, 0, 0, 0, 0xB9, 0x0D, 0, 0, 0, 0x8D, 0x54, 0x24, 0x04, 0x64, 0xFF, 0x15, 0xC0, 0, 0, 0,
            0x83, 0xC4, 0x04, 0xC2, (byte)(arguments * 4), 0);

    public SyntheticModule ToModule() => new() { Base = imageBase, Size = Size, Path = path };

    public SyntheticMemory ToMemory()
    {
        byte[] exports = ExportDirectory.Encode(path[(path.LastIndexOf('\\') + 1)..], _exports, ExportsRva, 1, 0);
        ByteWriter headers = new();
        headers.U16(0x5A4D).Zeros(0x3A).U32(0x80).Zeros(0x40);
        headers.U32(0x4550).U16(0x14C).U16(3).U32(0x57BE_1234).U32(0).U32(0).U16(0xE0).U16(0x2102);
        headers.U16(0x10B).U16(14).U32(0x1000).U32(0x2000).U32(0).U32(0).U32(CodeRva).U32(DataRva);
        headers.U32(imageBase).U32(0x1000).U32(0x200).U16(6).U16(1).U16(6).U16(1).U16(6).U16(1).U32(0).U32(Size).U32(0x400).U32(0);
        headers.U16(3).U16(0x140).U32(0x40000).U32(0x1000).U32(0x100000).U32(0x1000).U32(0).U32(16);
        headers.U32(ExportsRva).U32((uint)exports.Length).Zeros(15 * 8);
        Section(headers, ".text", CodeRva, 0x6000_0020);
        Section(headers, ".edata", ExportsRva, 0x4000_0040);
        Section(headers, ".data", DataRva, 0xC000_0040);
        return new SyntheticMemory(imageBase, Size)
            .Copy(0, headers.ToArray()).Copy((int)CodeRva, _code).Copy((int)ExportsRva, exports).Copy((int)DataRva, Data.Bytes);
    }

    private static void Section(ByteWriter headers, string name, uint rva, uint characteristics)
        => headers.Bytes(Encoding.ASCII.GetBytes(name.PadRight(8, '\0'))).U32(0x1000).U32(rva).U32(0x1000).U32(rva).Zeros(12).U32(characteristics);
}
