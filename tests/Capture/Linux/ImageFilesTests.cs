using HangTriage.Capture;
using HangTriage.Capture.Linux;
using HangTriage.Capture.Linux.Images;
using HangTriage.Capture.Managed;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic.Elf;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Linux;

/// <summary>Cores as the kernel and gdb write them, without what the process only read from files.</summary>
public sealed class ImageFilesTests : IDisposable
{
    private const int Page = SyntheticElf.PageSize;
    private const ulong Base = 0x7f00_0000_0000;
    private const ulong Behind = Base + 0x10_0000;

    private static readonly byte[] s_buildId = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
    private static readonly byte[] s_otherBuildId = [.. s_buildId.Reverse()];

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void What_the_kernel_left_out_is_read_from_the_file_and_what_was_written_to_from_the_core()
    {
        byte[] image = SyntheticElf.Image(s_buildId, 4, 0xAA);
        File.WriteAllBytes(_folder["lib.so"], image);
        byte[] written = [.. Enumerable.Repeat((byte)0xCC, Page)];

        byte[] read = new byte[(4 * Page) + 8];
        int count = Read(
            [new(Base, image[..Page], 2 * Page), new(Base + (2 * Page), written, Page), new(Base + (3 * Page), [], Page), new(Behind, written, Page)],
            [new(Base, 4, 0, _folder["lib.so"])],
            SymbolPath.Empty,
            read);

        Assert.Equal(4 * Page, count);
        Assert.Equal([.. image[..(2 * Page)], .. written, .. image[(3 * Page)..]], read[..count]);
    }

    // createdump leaves out what is in no physical memory; what it left out of the runtime's image is read from that.
    [Theory]
    [InlineData("libcoreclr.so", true)]
    [InlineData("libother.so", false)]
    public void Of_a_core_of_createdump_the_runtime_alone_is_read_from_its_file(string name, bool isRead)
    {
        byte[] image = SyntheticElf.Image(s_buildId, 2, 0xAA);
        File.WriteAllBytes(_folder[name], image);
        using DataTarget core = Open([new(Base, image[..Page], Page)], [new(Base, 2, 0, _folder[name])], out CoreNotes notes);

        using ImageFiles files = ImageFiles.FindRuntime(notes, new CoreMemory(core.DataReader, notes.Memory), CaptureContext.Default);

        Assert.Equal(!isRead, files.IsEmpty);
        Assert.Equal(isRead ? 8 : 0, files.Read(Base + Page, new byte[8]));
    }

    [Fact]
    public void Nothing_that_the_runtime_may_write_to_is_read_from_its_file()
    {
        byte[] image = SyntheticElf.Image(s_buildId, 2, 0xAA, isWritableFrom: 1);
        File.WriteAllBytes(_folder["libcoreclr.so"], image);
        using DataTarget core =
            Open([new(Base, image[..Page], Page)],
                [new(Base, 1, 0, _folder["libcoreclr.so"]), new(Base + Page, 1, 1, _folder["libcoreclr.so"])], out CoreNotes notes);

        using ImageFiles files = ImageFiles.FindRuntime(notes, new CoreMemory(core.DataReader, notes.Memory), CaptureContext.Default);

        Assert.Equal(0, files.Read(Base + Page, new byte[8]));
    }

    [Fact]
    public void What_no_file_has_is_missing_and_not_what_the_core_holds_next()
    {
        byte[] first = SyntheticElf.Image(s_buildId, 1, 0xAA);
        byte[] next = [.. Enumerable.Repeat((byte)0xBB, 2 * Page)];

        byte[] read = new byte[2 * Page];
        int count = Read([new(Base, first, 2 * Page), new(Behind, next, next.Length)], [new(Base, 2, 0, "/nowhere/lib.so")], SymbolPath.Empty, read);

        Assert.Equal(Page, count);
        Assert.Equal(first, read[..count]);
    }

    [Fact]
    public void An_image_of_another_build_is_not_read_and_named()
    {
        byte[] mapped = SyntheticElf.Image(s_buildId, 2, 0xAA);
        File.WriteAllBytes(_folder["lib.so"], SyntheticElf.Image(s_otherBuildId, 2, 0xAA));

        using ImageFiles files = Find([new(Base, mapped[..Page], 2 * Page)], [new(Base, 2, 0, _folder["lib.so"])], SymbolPath.Empty, out CoreMemory _);

        Assert.Equal(0, files.Read(Base + Page, new byte[8]));
        Assert.Contains("lib.so", files.Missing!.Why, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(20, true)]
    [InlineData(40, false)]
    [InlineData(100, false)]
    public void An_assembly_is_the_same_if_most_of_its_data_are(int percentChanged, bool isSame)
    {
        byte[] assembly = Assembly(3);
        File.WriteAllBytes(_folder["App.dll"], assembly);
        byte[] data = assembly[Page..(2 * Page)];
        for (int word = 0; word < Page / 8 * percentChanged / 100; word++)
        {
            data[8 * word] ^= 0xFF;
        }

        using ImageFiles files = Find([new(Base + Page, data, Page)], [new(Base, 3, 0, _folder["App.dll"])], SymbolPath.Empty, out CoreMemory _);

        byte[] read = new byte[8];
        Assert.Equal(isSame ? 8 : 0, files.Read(Base + (2 * Page), read));
        Assert.Equal(isSame, files.Missing is null);
    }

    [Fact]
    public void An_assembly_whose_size_fits_is_read_until_something_speaks_against_it()
    {
        File.WriteAllBytes(_folder["App.dll"], Assembly(2));

        using ImageFiles files = Find([], [new(Base, 2, 0, _folder["App.dll"])], SymbolPath.Empty, out CoreMemory _);

        Assert.Equal(8, files.Read(Base, new byte[8]));
        Assert.True(files.DropIf(file => file.MappedPath == _folder["App.dll"]));
        Assert.Equal(0, files.Read(Base, new byte[8]));
        Assert.Contains("App.dll", files.Missing!.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_is_not_read_that_is_too_short_or_no_image()
    {
        File.WriteAllBytes(_folder["App.dll"], Assembly(2));
        _folder.Write("notes.txt", new string('x', Page));

        using ImageFiles files = Find(
            [], [new(Base, 3, 0, _folder["App.dll"]), new(Behind, 1, 0, _folder["notes.txt"])], SymbolPath.Empty, out CoreMemory _);

        Assert.Equal(0, files.Read(Base, new byte[8]));
        Assert.Equal(0, files.Read(Behind, new byte[8]));
        Assert.Contains("App.dll", files.Missing!.Why, StringComparison.Ordinal);
        Assert.DoesNotContain("notes.txt", files.Missing!.Why, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("App.dll")]
    [InlineData("srv/app/App.dll")]
    public void A_folder_of_the_user_has_the_files_or_the_tree_of_the_other_machine(string place)
    {
        string file = Path.Combine(_folder.Folder, place);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllBytes(file, Assembly(2));

        using ImageFiles files = Find([], [new(Base, 2, 0, "/srv/app/App.dll")], SymbolPath.OfFolder(_folder.Folder), out CoreMemory _);

        Assert.Equal(8, files.Read(Base, new byte[8]));
        Assert.Null(files.Missing);
    }

    private int Read(IReadOnlyList<SyntheticCoreMemory> memory, IReadOnlyList<SyntheticMapping> mappings, SymbolPath symbols, byte[] buffer)
    {
        using DataTarget core = Open(memory, mappings, out CoreNotes notes);
        CoreMemory held = new(core.DataReader, notes.Memory);
        using ImageFiles files = ImageFiles.Find(notes, held, CaptureContext.Default with { Symbols = symbols });
        return new CoreReader(core.DataReader, held, files).Read(Base, buffer);
    }

    private ImageFiles Find(IReadOnlyList<SyntheticCoreMemory> memory, IReadOnlyList<SyntheticMapping> mappings, SymbolPath symbols, out CoreMemory held)
    {
        // ClrMD wants some memory in a core.
        using DataTarget core = Open([.. memory, new(Behind + 0x10_0000, new byte[8], 8)], mappings, out CoreNotes notes);
        held = new(core.DataReader, notes.Memory);
        return ImageFiles.Find(notes, held, CaptureContext.Default with { Symbols = symbols });
    }

    private DataTarget Open(IReadOnlyList<SyntheticCoreMemory> memory, IReadOnlyList<SyntheticMapping> mappings, out CoreNotes notes)
    {
        File.WriteAllBytes(_folder["core"], SyntheticElf.Core(memory, mappings));
        using FileStream file = File.OpenRead(_folder["core"]);
        notes = CoreNotes.Read(file, CaptureLimits.Default);
        return ClrTarget.Open(_folder["core"], CaptureLimits.Default);
    }

    private static byte[] Assembly(int pages)
    {
        byte[] assembly = [.. Enumerable.Range(0, pages * Page).Select(index => (byte)((index * 7) + 1))];
        "MZ"u8.CopyTo(assembly);
        return assembly;
    }
}
