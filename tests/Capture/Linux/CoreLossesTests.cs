using HangTriage.Capture;
using HangTriage.Capture.Linux;
using HangTriage.Capture.Linux.Damage;
using HangTriage.Capture.Managed;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic.Elf;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Linux;

/// <summary>What is lost of a core is noted where it is asked for, and nowhere else.</summary>
public sealed class CoreLossesTests : IDisposable
{
    private const int Page = SyntheticElf.PageSize;
    private const ulong First = 0x7f00_0000_0000;
    private const ulong Second = First + Page;
    private const ulong Hole = First + 0x10_0000;
    private const ulong Mapped = First + 0x20_0000;
    private const ulong Diagnostics = 0x7fff_fff1_0000;

    private readonly TemporaryFolder _folder = new();
    private CoreNotes? _notes;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Of_a_whole_core_nothing_is_lost_that_is_in_it()
        => Assert.Empty(Losses(Core(isOfCreatedump: true), (First, 8), (Second + 8, 8), (Second - 4, 8)));

    [Fact]
    public void What_lies_behind_the_end_of_the_file_is_lost_only_if_it_is_asked_for()
    {
        byte[] cut = Core(isOfCreatedump: true)[..^100];

        Assert.Empty(Losses(cut, (First, 8)));
        Gap loss = Assert.Single(Losses(cut, (First, 8), (Second + Page - 8, 8)));
        Assert.True(loss.IsLoss);
        Assert.Contains("cut off", loss.Why, StringComparison.Ordinal);
        Assert.Contains($"0x{Second:x}", loss.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_range_that_is_zero_from_end_to_end_is_lost_and_a_zero_in_another_is_not()
    {
        byte[] half = Filled();
        half.AsSpan(0, Page / 2).Clear();
        byte[] core = SyntheticElf.Core([new(First, half, Page), new(Second, new byte[Page], Page)], []);

        Assert.Empty(Losses(core, (First, 8)));
        Assert.Contains("zeros", Assert.Single(Losses(core, (First, 8), (Second, 8))).Why, StringComparison.Ordinal);
        Assert.Contains($"0x{Second:x}", Assert.Single(Losses(core, (First, 2 * Page))).Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_zeroed_range_is_lost_whatever_lies_right_behind_it()
        => Assert.Single(Losses(SyntheticElf.Core([new(First, new byte[Page], Page), new(Second, Filled(), Page)], []), (First, 8)));

    [Fact]
    public void A_zeroed_range_in_which_an_object_is_being_made_is_no_loss_and_another_is()
    {
        byte[] core = SyntheticElf.Core([new(First, new byte[Page], Page), new(Second, new byte[Page], Page)], []);
        void Make(WatchedCore watched)
        {
            _ = watched.Read(First, new byte[8]);
            watched.NoteUnused(First + 0x40);
        }

        Assert.Empty(Losses(core, Make, (First + 8, 8)));
        Assert.Contains($"0x{Second:x}", Assert.Single(Losses(core, Make, (First + 8, 8), (Second, 8))).Why, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, 1)]
    [InlineData(0, 0)]
    [InlineData(0x77_777, 0)]
    [InlineData((256 * Page) - 1, 0)]
    public void A_large_range_is_zero_where_none_of_its_bytes_is_anything_else(int? other, int losses)
    {
        byte[] stack = new byte[256 * Page];
        if (other is { } at)
        {
            stack[at] = 1;
        }

        Assert.Equal(losses, Losses(SyntheticElf.Core([new(First, stack, stack.Length)], []), (First + 0x40, 8)).Count);
    }

    [Fact]
    public void What_no_range_has_is_lost_of_a_core_whose_writer_leaves_nothing_out()
    {
        Assert.Contains("missing", Assert.Single(Losses(Core(isOfCreatedump: true), (Hole, 8))).Why, StringComparison.Ordinal);
        Assert.Contains("missing", Assert.Single(Losses(Core(isOfCreatedump: false), (Hole, 8))).Why, StringComparison.Ordinal);
        Assert.Empty(Losses(Core(isOfCreatedump: false), (Mapped, 8)));
        Assert.Empty(Losses(Core(isOfCreatedump: true), (0x18, 8), (ulong.MaxValue - 7, 8)));
    }

    [Fact]
    public void What_is_asked_for_in_advance_or_may_be_left_out_is_no_loss()
    {
        Assert.Empty(Losses(Core(isOfCreatedump: true), (First, 8 * Page)));
        Assert.Empty(Losses(Core(isOfCreatedump: true), watched => watched.IsOptional = true, (Hole, 8)));
        Assert.Single(Losses(Core(isOfCreatedump: true)[..^100], watched => watched.IsOptional = true, (Second + Page - 8, 8)));
    }

    // Two frames at one address, the last of them at the end of what the core has: seen where a thread had a frame without a size.
    [Fact]
    public void Where_nothing_is_asked_for_nothing_is_lost()
        => Assert.Empty(Losses(Core(isOfCreatedump: true), (First, 0), (Second + Page, 0), (Hole, 0)));

    [Fact]
    public void What_a_mini_core_leaves_out_is_no_loss_and_what_it_lists_and_has_not_is_one()
    {
        byte[] cut = Core(isOfCreatedump: true)[..^100];
        CoreLosses losses = Read(cut, _ => { }, (Hole, 8), (Second + Page - 8, 8));

        Assert.Equal(2, losses.Gaps(isMini: false).Count());
        Assert.Contains("cut off", Assert.Single(losses.Gaps(isMini: true)).Why, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(9, 1)]
    public void A_page_of_an_assembly_is_no_loss_of_a_core_that_has_few_of_them_and_one_of_a_core_that_has_most(int pagesHeld, int losses)
    {
        const ulong assembly = Mapped + (32 * Page);
        byte[] core = SyntheticElf.Core(
            [new(assembly, [.. Enumerable.Repeat((byte)0xCC, pagesHeld * Page)], pagesHeld * Page), new(Diagnostics, Filled(), Page)],
            [new(assembly, 10, 0, "/app/web.dll")]);

        Assert.Equal(losses, Losses(core, (assembly + (9 * Page), 8)).Count);
        Assert.Single(Losses(core, (assembly + (11 * Page), 8)));
    }

    private static byte[] Core(bool isOfCreatedump)
        => SyntheticElf.Core(
            [new(First, Filled(), Page), new(isOfCreatedump ? Diagnostics : Diagnostics - 0x100_0000, Filled(), Page), new(Second, Filled(), Page)],
            [new(Mapped, 1, 0, "/lib/lib.so")]);

    private static byte[] Filled() => [.. Enumerable.Repeat((byte)0xCC, Page)];

    private IReadOnlyList<Gap> Losses(byte[] core, params (ulong Address, int Count)[] reads) => Losses(core, _ => { }, reads);

    private IReadOnlyList<Gap> Losses(byte[] core, Action<WatchedCore> prepare, params (ulong Address, int Count)[] reads)
        => [.. Read(core, prepare, reads).Gaps(isMini: false)];

    private CoreLosses Read(byte[] core, Action<WatchedCore> prepare, params (ulong Address, int Count)[] reads)
    {
        File.WriteAllBytes(_folder["core"], core);
        using (FileStream file = File.OpenRead(_folder["core"]))
        {
            _notes = CoreNotes.Read(file, CaptureLimits.Default);
        }

        using DataTarget target = ClrTarget.Open(_folder["core"], CaptureLimits.Default);
        CoreLosses losses = new(_notes);
        WatchedCore watched = losses.Watch(target.DataReader);
        prepare(watched);
        foreach ((ulong address, int count) in reads)
        {
            _ = watched.Read(address, new byte[count]);
        }

        return losses;
    }
}
