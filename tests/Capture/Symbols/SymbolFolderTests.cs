using HangTriage.Capture.Symbols;
using HangTriage.Facts;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Capture.Symbols;

public sealed class SymbolFolderTests
{
    private static readonly Guid s_signature = new("0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0");

    [Theory]
    [InlineData("app.dll")]
    [InlineData("APP.DLL")]
    [InlineData("app.dll/0A0B0C0D1f000/app.dll")]
    [InlineData("App.dll/0a0b0c0d1F000/aPP.dll")]
    [InlineData("index2.txt", "ap/app.dll/0A0B0C0D1f000/app.dll")]
    public void Each_layout_is_found_in_letters_of_either_case(params string[] files)
    {
        using TemporaryFolder folder = new();
        Array.ForEach(files, file => Write(folder, file));
        Assert.Equal([folder[files[^1]]], Find(folder, out _));
    }

    [Theory]
    [InlineData("other.dll")]
    [InlineData("app.dll/0A0B0C0D20000/app.dll")]
    [InlineData("ap/app.dll/0A0B0C0D1f000/app.dll")]
    [InlineData("deeper/app.dll")]
    public void Nothing_else_is_opened(string file)
    {
        using TemporaryFolder folder = new();
        Write(folder, file);
        Assert.Empty(Find(folder, out bool isCompressed));
        Assert.False(isCompressed);
    }

    [Theory]
    [InlineData("app.dl_")]
    [InlineData("app.dll/0A0B0C0D1f000/app.dl_")]
    public void A_compressed_copy_is_recognised(string file)
    {
        using TemporaryFolder folder = new();
        Write(folder, file);
        Assert.Empty(Find(folder, out bool isCompressed));
        Assert.True(isCompressed);
    }

    [Fact]
    public void A_folder_that_is_not_there_has_nothing()
        => Assert.Empty(new SymbolFolder("/no/such/folder").Find(Key(), out _));

    [Fact]
    public void A_PDB_is_kept_by_signature_and_age()
    {
        Assert.True(SymbolKey.TryOfPdb(new PdbId("app.pdb", s_signature, 0x1A), out SymbolKey key));
        Assert.Equal("0F1E2D3C4B5A69788796A5B4C3D2E1F01a", key.Index);
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("../app.dll")]
    [InlineData("a/b")]
    [InlineData(@"a\b")]
    [InlineData("a:b")]
    [InlineData("*")]
    [InlineData("app?.dll")]
    [InlineData("%2e%2e")]
    [InlineData("app.dll ")]
    [InlineData("nul")]
    [InlineData("CON.dll")]
    [InlineData("com1.pdb")]
    [InlineData("a\0b")]
    public void A_name_that_is_none_of_a_file_is_not_looked_for(string name)
    {
        Assert.False(SymbolKey.TryOfImage(name, 1, 1, out _));
        Assert.False(SymbolKey.TryOfPdb(new PdbId(name, s_signature, 1), out _));
    }

    private static SymbolKey Key()
    {
        Assert.True(SymbolKey.TryOfImage("app.dll", 0x0A0B0C0D, 0x1F000, out SymbolKey key));
        return key;
    }

    private static IReadOnlyList<string> Find(TemporaryFolder folder, out bool isCompressed) => new SymbolFolder(folder.Folder).Find(Key(), out isCompressed);

    private static void Write(TemporaryFolder folder, string file)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(folder[file])!);
        File.WriteAllBytes(folder[file], []);
    }
}
