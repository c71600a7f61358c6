using System.Buffers.Binary;
using System.Text;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>An x64 image as it lies in memory, assembled by hand: headers, code at 0x1000, tables behind it.</summary>
internal sealed class ImageBytes
{
    public const uint CodeStart = 0x1000;
    public const uint Size = 0x10000;

    private const uint FunctionTable = 0x4000;
    private const uint UnwindData = 0x6000;
    private const uint ExportDirectory = 0x8000;
    private const uint ExportDirectorySize = 0x2000;
    private const int Header = 0x80;

    private readonly byte[] _bytes = new byte[Size];
    private readonly List<(uint Begin, uint End, uint Info)> _functions = [];
    private readonly List<(string? Name, uint Rva)> _exports = [];
    private uint _nextInfo = UnwindData;

    public ImageBytes()
    {
        // int3 everywhere, so that nothing looks like an epilog by accident
        _bytes.AsSpan((int)CodeStart, 0x2000).Fill(0xCC);
    }

    /// <summary>The section of the tables is executable, as linkers make it that merge sections.</summary>
    public bool AreTablesCode { get; init; }

    public ImageBytes Code(uint rva, params byte[] code)
    {
        code.CopyTo(_bytes, rva);
        return this;
    }

    /// <summary>Adds a function with its UNWIND_INFO.</summary>
    public ImageBytes Function(uint begin, uint end, byte[] unwindInfo)
    {
        _functions.Add((begin, end, _nextInfo));
        unwindInfo.CopyTo(_bytes, _nextInfo);
        _nextInfo += (uint)(unwindInfo.Length + 7) & ~3u;
        return this;
    }

    /// <summary>Adds an entry that stands for another: bit 0 of its unwind data is set.</summary>
    public ImageBytes IndirectFunction(uint begin, uint end, int other)
    {
        _functions.Add((begin, end, (uint)(FunctionTable + (other * 12)) | 1));
        return this;
    }

    /// <summary>The entry of a function that was added, as a chained UNWIND_INFO ends with it.</summary>
    public byte[] Entry(int index) => EntryBytes(_functions[index]);

    public ImageBytes Export(string? name, uint rva)
    {
        _exports.Add((name, rva));
        return this;
    }

    public byte[] Build()
    {
        U16(0, 0x5A4D);
        U32(0x3C, Header);
        U32(Header, 0x4550);
        U16(Header + 4, 0x8664);
        U16(Header + 6, 2);
        U16(Header + 0x14, 0xF0);
        U16(Header + 0x18, 0x20B);
        U32(Header + 0x84, 16);
        Directory(0, _exports.Count > 0 ? ExportDirectory : 0, _exports.Count > 0 ? ExportDirectorySize : 0);
        Directory(3, FunctionTable, (uint)_functions.Count * 12);
        Section(0, CodeStart, 0x2000, 0x60000020);
        Section(1, 0x3000, Size - 0x3000, AreTablesCode ? 0x60000020u : 0x40000040u);
        for (int i = 0; i < _functions.Count; i++)
        {
            EntryBytes(_functions[i]).CopyTo(_bytes, FunctionTable + (i * 12));
        }

        WriteExports();
        return _bytes;
    }

    private static byte[] EntryBytes((uint Begin, uint End, uint Info) function)
    {
        byte[] bytes = new byte[12];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, function.Begin);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), function.End);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(8), function.Info);
        return bytes;
    }

    private void WriteExports()
    {
        uint functions = ExportDirectory + 0x40;
        uint names = functions + ((uint)_exports.Count * 4);
        uint ordinals = names + ((uint)_exports.Count * 4);
        uint text = ordinals + ((uint)_exports.Count * 2);
        uint named = 0;
        for (int i = 0; i < _exports.Count; i++)
        {
            U32((int)functions + (i * 4), _exports[i].Rva);
            if (_exports[i].Name is { } name)
            {
                U32((int)(names + (named * 4)), text);
                U16((int)(ordinals + (named * 2)), (ushort)i);
                text += (uint)Encoding.Latin1.GetBytes(name, _bytes.AsSpan((int)text)) + 1;
                named++;
            }
        }

        U32((int)ExportDirectory + 20, (uint)_exports.Count);
        U32((int)ExportDirectory + 24, named);
        U32((int)ExportDirectory + 28, functions);
        U32((int)ExportDirectory + 32, names);
        U32((int)ExportDirectory + 36, ordinals);
    }

    private void Directory(int index, uint rva, uint size)
    {
        U32(Header + 0x88 + (index * 8), rva);
        U32(Header + 0x8C + (index * 8), size);
    }

    private void Section(int index, uint rva, uint size, uint characteristics)
    {
        int section = Header + 0x108 + (index * 40);
        U32(section + 8, size);
        U32(section + 12, rva);
        U32(section + 36, characteristics);
    }

    private void U16(int offset, ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(_bytes.AsSpan(offset), value);

    private void U32(int offset, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(_bytes.AsSpan(offset), value);
}
