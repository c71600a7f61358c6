using System.Reflection.PortableExecutable;
using System.Text;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Unit.Synthetic;

public sealed class SyntheticImageTests
{
    private const ulong Base = 0x1_8000_0000;

    [Fact]
    public void The_frameworks_reader_sees_sections_and_directories()
    {
        SyntheticImage image = WindowsImages.Ntdll();
        using PEReader reader = Open(image);
        PEHeader header = reader.PEHeaders.PEHeader!;

        Assert.Equal([".text", ".data", ".rdata", ".pdata"], reader.PEHeaders.SectionHeaders.Select(section => section.Name));
        Assert.Equal(Machine.Amd64, reader.PEHeaders.CoffHeader.Machine);
        Assert.Equal((image.Base, image.ToModule().Size), (header.ImageBase, (uint)header.SizeOfImage));
        Assert.Equal(12 * image.Functions.Count(function => function.Prolog is not null), header.ExceptionTableDirectory.Size);
        Assert.True(reader.PEHeaders.TryGetDirectoryOffset(header.ExportTableDirectory, out _));
    }

    [Fact]
    public void The_frameworks_reader_finds_the_pdb()
    {
        using PEReader reader = Open(WindowsImages.Ntdll());
        CodeViewDebugDirectoryData pdb = reader.ReadCodeViewDebugDirectoryData(Assert.Single(reader.ReadDebugDirectory()));

        Assert.Equal(("ntdll.pdb", 1), (pdb.Path, pdb.Age));
        Assert.Equal(new Guid("1EFB9BB53DB84CE9BF5A5AD4D9DB5C8F"), pdb.Guid);
    }

    [Fact]
    public void Exports_are_sorted_by_name_and_lead_to_their_functions()
    {
        SyntheticImage image = new SyntheticImage("k.dll", Base)
            .Function("Zebra", 0x80, exported: true)
            .Function("Hidden", 0x80)
            .Function("Ant", 0x80, exported: true)
            .Forwarder("Middle", "OTHER.Function");
        Dictionary<string, uint> exports = Exports(image, out DirectoryEntry directory);

        Assert.Equal(["Ant", "Middle", "Zebra"], exports.Keys);
        Assert.Equal((image["Ant"].Rva, image["Zebra"].Rva), (exports["Ant"], exports["Zebra"]));
        Assert.InRange(exports["Middle"], (uint)directory.RelativeVirtualAddress, (uint)(directory.RelativeVirtualAddress + directory.Size - 1));
        Assert.Equal("OTHER.Function", Text(image.ToMemory(), exports["Middle"]));
    }

    [Fact]
    public void Functions_are_in_ascending_order_and_do_not_overlap()
    {
        SyntheticImage image = UnwindKinds.Image();
        (uint Begin, uint End, uint Unwind)[] entries = Entries(image);

        Assert.Equal(image.Functions.Where(function => function.Prolog is not null).Select(function => function.Rva), entries.Select(entry => entry.Begin));
        Assert.All(entries.Zip(entries.Skip(1)), pair => Assert.True(pair.First.End <= pair.Second.Begin));
        Assert.All(entries, entry => Assert.Equal(0u, entry.Unwind % 4));
    }

    [Fact]
    public void Code_is_what_an_assembler_makes_of_it()
    {
        SyntheticImage image = new SyntheticImage("k.dll", Base).Function("F", 0x40, prolog: prolog => prolog
            .Push(Register.R12).Alloc(0x90).SetFrame(Register.Rbp, 0x20).Save(Register.R14, 0x30).SaveXmm(9, 0x40));
        byte[] code = image.ToMemory().Bytes[0x1000..0x1040];

        // push r12; sub rsp,90h; lea rbp,[rsp+20h]; mov [rbp+10h],r14; movaps [rbp+20h],xmm9
        Assert.Equal("41544881EC90000000488D6C24204C897510440F294D20", Convert.ToHexString(code[..23]));

        // movaps xmm9,[rbp+20h]; mov r14,[rbp+10h]; lea rsp,[rbp+70h]; pop r12; ret
        Assert.Equal("440F284D204C8B7510488D6570415CC3", Convert.ToHexString(code[^16..]));
    }

    [Fact]
    public void A_function_too_small_for_its_frame_is_refused()
        => Assert.Throws<ArgumentOutOfRangeException>(() => new SyntheticImage("k.dll", Base).Function("F", 0x10));

    [Fact]
    public void A_save_before_an_allocation_is_refused()
        => Assert.Throws<InvalidOperationException>(() => new SyntheticProlog().Save(Register.Rbx, 8).Alloc(0x20));

    internal static (uint Begin, uint End, uint Unwind)[] Entries(SyntheticImage image)
    {
        SyntheticMemory memory = image.ToMemory();
        using PEReader reader = Open(image);
        DirectoryEntry table = reader.PEHeaders.PEHeader!.ExceptionTableDirectory;
        return [.. Enumerable.Range(0, table.Size / 12).Select(index => ReadEntry(table.RelativeVirtualAddress + (12 * index)))];

        (uint, uint, uint) ReadEntry(int rva) => (U32(memory, rva), U32(memory, rva + 4), U32(memory, rva + 8));
    }

    private static PEReader Open(SyntheticImage image) => new(new MemoryStream(image.ToMemory().Bytes), PEStreamOptions.IsLoadedImage);

    private static Dictionary<string, uint> Exports(SyntheticImage image, out DirectoryEntry directory)
    {
        SyntheticMemory memory = image.ToMemory();
        using PEReader reader = Open(image);
        directory = reader.PEHeaders.PEHeader!.ExportTableDirectory;
        int at = directory.RelativeVirtualAddress;
        (int functions, int names, int ordinals) = ((int)U32(memory, at + 28), (int)U32(memory, at + 32), (int)U32(memory, at + 36));
        Dictionary<string, uint> exports = [];
        for (int index = 0; index < U32(memory, at + 24); index++)
        {
            int ordinal = BitConverter.ToUInt16(memory.Bytes, ordinals + (2 * index));
            exports.Add(Text(memory, U32(memory, names + (4 * index))), U32(memory, functions + (4 * ordinal)));
        }

        return exports;
    }

    private static uint U32(SyntheticMemory memory, int offset) => BitConverter.ToUInt32(memory.Bytes, offset);

    private static string Text(SyntheticMemory memory, uint rva)
        => Encoding.ASCII.GetString(memory.Bytes.AsSpan((int)rva, memory.Bytes.AsSpan((int)rva).IndexOf((byte)0)));
}
