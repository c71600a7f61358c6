using HangTriage.Capture;
using HangTriage.Capture.Windows;
using HangTriage.Capture.Windows.Images;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows;

public sealed class ExportNameTests
{
    private const ulong ImageBase = UnwindFixture.ImageBase;

    // mov r10, rcx; mov eax, 0x46; test byte [0x7ffe0308], 1; jne; syscall; ret; int 0x2e; ret
    private static readonly byte[] s_systemCall =
        [0x4C, 0x8B, 0xD1, 0xB8, 0x46, 0, 0, 0, 0xF6, 4, 0x25, 8, 3, 0xFE, 0x7F, 1, 0x75, 3, 0x0F, 5, 0xC3, 0xCD, 0x2E, 0xC3];

    private static readonly byte[] s_straightCode = [.. Enumerable.Repeat((byte)0x48, 0x200)];

    private static string? NameOf(ImageBytes image, uint rva, IFunctionNamer? namer = null)
    {
        FakeProcess process = new();
        process.Module("test.dll", ImageBase, ImageBytes.Size);
        process.Memory(ImageBase, image.Build());
        TargetMemory memory = new(process);
        Image found = new ImageMap(process.Modules.Value, memory, CaptureLimits.Default, functions: namer).Find(ImageBase + rva)!;
        return found.TryName(rva, out string name, out uint start) ? $"{name}{(start <= rva ? $"+0x{rva - start:x}" : "")}" : null;
    }

    [Fact]
    public void An_export_names_its_function_up_to_the_functions_end()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("Open", 0x1000);
        Assert.Equal("Open+0x0", NameOf(image, 0x1000));
        Assert.Equal("Open+0xff", NameOf(image, 0x10FF));
    }

    [Fact]
    public void The_sources_symbols_go_before_exports_which_name_what_the_symbols_do_not()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(0)).Function(0x1100, 0x1200, Info(0)).Export("Open", 0x1000).Export("Close", 0x1100);
        OneSymbol symbols = new(ImageBase + 0x1000, 0x100, "open_file");
        Assert.Equal("open_file+0x20", NameOf(image, 0x1020, symbols));
        Assert.Equal("Close+0x10", NameOf(image, 0x1110, symbols));
    }

    private sealed class OneSymbol(ulong at, ulong size, string called) : IFunctionNamer
    {
        public bool TryName(ulong address, out string name, out ulong start)
        {
            (name, start) = (called, at);
            return address >= at && address - at < size;
        }
    }

    [Fact]
    public void A_static_function_has_no_name_though_an_export_lies_below_it()
        => Assert.Null(NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Function(0x1100, 0x1200, Info(0)).Export("Open", 0x1000), 0x1110));

    [Fact]
    public void An_export_inside_a_function_names_what_follows_it()
        => Assert.Equal("Inner+0x10", NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("Outer", 0x1000).Export("Inner", 0x1040), 0x1050));

    [Theory]
    [InlineData(0x1810, "Open+0x810")]
    [InlineData(0x1010, "Open+0x10")]
    public void A_part_that_was_moved_away_has_the_name_of_its_function(uint rva, string expected)
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("Open", 0x1000);
        Assert.Equal(expected, NameOf(image.Function(0x1800, 0x1900, Chained(0, image.Entry(0))), rva));
    }

    [Fact]
    public void A_leaf_has_the_name_of_the_export_before_it()
        => Assert.Equal("NtYield+0x14", NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("Open", 0x1000).Export("NtYield", 0x1200).Code(0x1200, s_systemCall), 0x1214));

    public static TheoryData<string, byte[]> Separators { get; } = new()
    {
        { "ret and int3", [0xC3, 0xCC, 0xCC, 0xCC] },
        { "ret and nop [rax+rax+0]", [0xC3, 0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0] },
        { "ret and cs nop [rax+rax+0]", [0xC3, 0x66, 0x2E, 0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0] },
        { "ret and xchg ax, ax", [0xC3, 0x66, 0x90] },
        { "ret alone", [0xC3] },
        { "jmp and nop", [0xE9, 1, 2, 3, 4, 0x90] },
        { "jmp [rip+0] and int3", [0xFF, 0x25, 0, 0, 0, 0, 0xCC] },
    };

    [Theory]
    [MemberData(nameof(Separators))]
    public void A_leaf_ends_where_padding_up_to_an_aligned_address_follows_its_return(string name, byte[] separator)
    {
        Assert.NotEmpty(name);
        byte[] leaf = new byte[0x40];
        Array.Fill(leaf, (byte)0x48);
        separator.CopyTo(leaf, 0x20 - separator.Length);
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("strlen", 0x1200).Code(0x1200, leaf);
        Assert.Null(NameOf(image, 0x1230));
        Assert.Equal("strlen+0x12", NameOf(image, 0x1212));
    }

    [Fact]
    public void An_aligned_loop_within_a_leaf_does_not_end_it()
    {
        byte[] leaf = [.. Enumerable.Repeat((byte)0x48, 23), 0x66, 0x2E, 0x0F, 0x1F, 0x84, 0, 0, 0, 0, .. Enumerable.Repeat((byte)0x48, 32)];
        Assert.Equal("strlen+0x30", NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("strlen", 0x1200).Code(0x1200, leaf), 0x1230));
    }

    [Fact]
    public void An_export_far_below_a_leaf_does_not_name_it()
        => Assert.Null(NameOf(
            new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("strlen", 0x1200).Code(0x1200, [.. Enumerable.Repeat((byte)0x48, 0x500)]), 0x1600));

    [Fact]
    public void A_leaf_has_no_name_where_another_function_begins_in_between()
        => Assert.Null(NameOf(new ImageBytes().Function(0x1300, 0x1310, Info(0)).Export("NtYield", 0x1200).Code(0x1200, s_straightCode), 0x1314));

    [Fact]
    public void A_leaf_does_not_take_the_name_of_the_function_before_it()
        => Assert.Null(NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("Open", 0x1000).Code(0x1000, s_straightCode), 0x1120));

    [Fact]
    public void A_leaf_does_not_take_a_name_from_behind_an_export_without_one()
        => Assert.Null(NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("NtYield", 0x1200).Export(null, 0x1210).Code(0x1200, s_systemCall), 0x1214));

    [Fact]
    public void Of_two_names_of_a_system_call_the_one_that_user_code_calls_is_taken()
        => Assert.Equal(
            "NtYield+0x4",
            NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("ZwYield", 0x1200).Export("NtYield", 0x1200), 0x1204));

    [Fact]
    public void Forwarders_name_no_code_even_where_the_export_table_lies_within_code()
        => Assert.Null(NameOf(new ImageBytes { AreTablesCode = true }.Function(0x8800, 0x8900, Info(0)).Export("HeapAlloc", 0x8800), 0x8810));

    [Fact]
    public void Exported_data_names_no_code()
        => Assert.Null(NameOf(new ImageBytes().Function(0x7000, 0x7100, Info(0)).Export("g_table", 0x7000), 0x7010));

    [Fact]
    public void Without_a_function_table_nothing_proves_a_name()
        => Assert.Null(NameOf(new ImageBytes().Export("Open", 0x1000), 0x1000));

    [Fact]
    public void Control_characters_of_a_name_do_not_reach_the_reader()
        => Assert.Equal("a\uFFFD[2J+0x0", NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export("a\x1B[2J", 0x1000), 0x1000));

    [Fact]
    public void A_name_is_cut_at_the_limit()
        => Assert.Equal(1024 + 4, NameOf(new ImageBytes().Function(0x1000, 0x1100, Info(0)).Export(new string('x', 3000), 0x1000), 0x1000)!.Length);
}
