using HangTriage.Tests.Support.Synthetic;

namespace HangTriage.Tests.Unit.Synthetic;

/// <summary>The unwind data of each kind, against bytes worked out by hand from the format's documentation.</summary>
public sealed class UnwindCodeTests
{
    public static TheoryData<string, Action<SyntheticProlog>> Prologs => new()
    {
        // Version and flags, prolog size, codes, frame; then the codes from the last step to the first.
        { "01 05 02 00  05 32 01 30", prolog => prolog.Push(Register.Rbx).Alloc(0x20) },
        { "01 07 01 00  07 F2 00 00", prolog => prolog.Alloc(0x80) },
        { "01 07 02 00  07 01 11 00", prolog => prolog.Alloc(0x88) },
        { "01 07 02 00  07 01 FF FF", prolog => prolog.Alloc(0x7_FFF8) },
        { "01 07 03 00  07 11 00 00 08 00 00 00", prolog => prolog.Alloc(0x8_0000) },
        { "01 0A 03 25  0A 03 05 42 01 50 00 00", prolog => prolog.Push(Register.Rbp).Alloc(0x28).SetFrame(Register.Rbp, 0x20) },
        { "01 09 03 00  09 34 06 00 04 42 00 00", prolog => prolog.Alloc(0x28).Save(Register.Rbx, 0x30) },
        { "01 0C 04 00  0C D5 20 01 00 00 04 42", prolog => prolog.Alloc(0x28).SaveFar(Register.R13, 0x120) },
        { "01 09 03 00  09 68 01 00 04 42 00 00", prolog => prolog.Alloc(0x28).SaveXmm(6, 0x10) },
        { "01 0A 04 00  0A F9 10 00 00 00 04 42", prolog => prolog.Alloc(0x28).SaveXmmFar(15, 0x10) },
        { "01 04 02 00  04 42 00 0A", prolog => prolog.MachineFrame().Alloc(0x28) },
        { "01 04 02 00  04 42 00 1A", prolog => prolog.MachineFrame(errorCode: true).Alloc(0x28) },
        { "19 04 01 00  04 42 00 00 00 10 00 00 78 56 34 12", prolog => prolog.Alloc(0x28).WithHandler() },
        { "02 05 04 00  02 16 00 06 05 32 01 30", prolog => prolog.Push(Register.Rbx).Alloc(0x20).Version2() },
        { "02 05 04 00  02 16 3C 06 05 32 01 30", prolog => prolog.Push(Register.Rbx).Alloc(0x20).Version2(0x40) },
        { "02 05 06 00  02 16 3C 06 2C 06 00 06 05 32 01 30", prolog => prolog.Push(Register.Rbx).Alloc(0x20).Version2(0x40, 0x50) },
    };

    [Theory]
    [MemberData(nameof(Prologs))]
    public void Unwind_data_is_encoded_as_documented(string expected, Action<SyntheticProlog> prolog)
    {
        SyntheticImage image = new SyntheticImage("k.dll", 0x1_8000_0000).Function("F", 0x80, prolog: prolog);
        byte[] wanted = Convert.FromHexString(expected.Replace(" ", "", StringComparison.Ordinal));

        Assert.Equal(wanted, Unwind(image, 0)[..wanted.Length]);
    }

    [Fact]
    public void A_chained_part_names_its_parents_entry()
    {
        SyntheticImage image = new SyntheticImage("k.dll", 0x1_8000_0000)
            .Function("F", 0x80, prolog: prolog => prolog.Push(Register.Rbp).Alloc(0x40).SetFrame(Register.Rbp, 0x10))
            .Chained("F, cold", "F", 0x40, prolog => prolog.Save(Register.Rsi, 0x20));
        byte[] unwind = Unwind(image, 1);
        (uint begin, uint end, uint unwindRva) = SyntheticImageTests.Entries(image)[0];

        Assert.Equal("2105021505640400", Convert.ToHexString(unwind[..8]));
        Assert.Equal(
            (begin, end, unwindRva),
            (BitConverter.ToUInt32(unwind, 8), BitConverter.ToUInt32(unwind, 12), BitConverter.ToUInt32(unwind, 16)));
    }

    private static byte[] Unwind(SyntheticImage image, int entry)
        => image.ToMemory().Bytes[(int)SyntheticImageTests.Entries(image)[entry].Unwind..];
}
