using HangTriage.Capture;
using HangTriage.Capture.Windows.Pdb;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Symbols;

public sealed class PdbTests
{
    private static readonly SyntheticImage s_app = SmallDump.Create().App;

    [Theory]
    [InlineData(512)]
    [InlineData(1024)]
    [InlineData(4096)]
    public void Publics_and_procedures_name_where_they_start(int blockSize)
    {
        SyntheticPdb pdb = new SyntheticPdb(s_app) { BlockSize = blockSize }.PublicOf("exported").ProcedureOf("hidden").ProcedureOf("behind");
        Assert.Equal("exported", NameAt(pdb, s_app["exported"].Rva));
        Assert.Equal("hidden", NameAt(pdb, s_app["hidden"].Rva + 5));
        Assert.Equal("behind", NameAt(pdb, s_app["behind"].Rva));
        Assert.Null(NameAt(pdb, s_app["exported"].Rva - 1));
    }

    [Fact]
    public void Names_are_found_among_thousands_over_many_blocks()
    {
        SyntheticPdb pdb = new(s_app);
        for (uint i = 0; i < 4_000; i++)
        {
            pdb.PublicAt(0x1000 + i, $"function_{new string('x', (int)(i % 97))}_{i}");
        }

        Assert.Equal($"function_{new string('x', 3_999 % 97)}_3999", NameAt(pdb, 0x1000 + 3_999));
        Assert.Equal("function__0", NameAt(pdb, 0x1000));
    }

    [Fact]
    public void Of_several_names_the_one_that_a_person_expects_is_taken()
    {
        SyntheticPdb pdb = new SyntheticPdb(s_app).PublicAt(0x1000, "ZwYield").PublicAt(0x1000, "NtYield").PublicAt(0x1100, "?f@@YAXXZ").PublicAt(0x1100, "f");
        Assert.Equal("NtYield", NameAt(pdb, 0x1000));
        Assert.Equal("f", NameAt(pdb, 0x1100));
    }

    [Theory]
    [InlineData(0x14C, "_cdecl", "cdecl")]
    [InlineData(0x14C, "@fast@8", "fast@8")]
    [InlineData(0x14C, "?f@@YAXXZ", "?f@@YAXXZ")]
    [InlineData(0x8664, "_start", "_start")]
    public void Only_32_bit_names_lose_the_mark_of_their_calling_convention(int machine, string written, string expected)
        => Assert.Equal(expected, NameAt(new SyntheticPdb(s_app) { Machine = (ushort)machine }.PublicAt(0x1000, written), 0x1000));

    [Fact]
    public void What_lies_in_no_code_names_nothing()
    {
        SyntheticPdb pdb = new SyntheticPdb(s_app).PublicAt(0x1000, "data", section: 2).PublicAt(0x1000, "nowhere", section: 9).PublicAt(0x1000, "none", section: 0);
        Assert.Null(NameAt(pdb, 0x7000, out string? why));
        Assert.Equal("it names no function", why);
    }

    [Fact]
    public void Unknown_records_are_passed_over()
        => Assert.Equal("late", NameAt(new SyntheticPdb(s_app).Raw(0x1125, 1, 2, 3).Raw(0xFFFF).PublicAt(0x1000, "late"), 0x1000));

    [Fact]
    public void A_name_cannot_write_to_the_terminal()
        => Assert.Equal("a\uFFFD[31mb", NameAt(new SyntheticPdb(s_app).PublicAt(0x1000, "a\u001B[31mb"), 0x1000));

    [Fact]
    public void Of_a_rearranged_image_nothing_is_named()
    {
        Assert.Null(NameAt(new SyntheticPdb(s_app) { IsRearranged = true }.PublicOf("hidden"), s_app["hidden"].Rva, out string? why));
        Assert.Contains("OMAP", why, StringComparison.Ordinal);
    }

    [Fact]
    public void More_symbols_than_the_limit_are_not_read()
    {
        SyntheticPdb pdb = new SyntheticPdb(s_app).PublicAt(0x1000, "first").PublicAt(0x1010, "second");
        Assert.Equal("first", NameAt(pdb, 0x1010, out string? why, CaptureLimits.Default with { SymbolsPerPdb = 1 }));
        Assert.Contains("limit of 1", why, StringComparison.Ordinal);
    }

    [Fact]
    public void Whose_PDB_it_is_says_its_signature()
    {
        Guid signature = SmallDump.PdbSignature;
        using ScratchPdb file = new(new SyntheticPdb(s_app) { Signature = signature, Age = 7 }.Build());
        Assert.True(file.Pdb!.Is(new PdbId("any", signature, 7)));
        Assert.False(file.Pdb.Is(new PdbId("any", signature, 8)));
        Assert.False(file.Pdb.Is(new PdbId("any", Guid.Empty, 7)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(31)]
    [InlineData(55)]
    [InlineData(600)]
    [InlineData(3000)]
    public void A_PDB_that_is_cut_off_is_none(int length)
    {
        using ScratchPdb file = new(new SyntheticPdb(s_app).PublicOf("hidden").Build()[..length]);
        Assert.Null(file.Pdb);
        Assert.NotEmpty(file.Why);
    }

    private static string? NameAt(SyntheticPdb pdb, uint rva) => NameAt(pdb, rva, out _);

    private static string? NameAt(SyntheticPdb pdb, uint rva, out string? why, CaptureLimits? limits = null)
    {
        using ScratchPdb file = new(pdb.Build());
        PdbNames names = PdbNames.Read(file.Pdb!, limits ?? CaptureLimits.Default, CancellationToken.None, out why);
        return names.TryFindNearest(rva, 0, out _, out string? name) ? name : null;
    }

    private sealed class ScratchPdb : IDisposable
    {
        private readonly TemporaryFolder _folder = new();

        public ScratchPdb(byte[] bytes)
        {
            File.WriteAllBytes(_folder["x.pdb"], bytes);
            Pdb = PdbFile.Open(_folder["x.pdb"], long.MaxValue, out string why);
            Why = why;
        }

        public PdbFile? Pdb { get; }

        public string Why { get; }

        public void Dispose()
        {
            Pdb?.Dispose();
            _folder.Dispose();
        }
    }
}
