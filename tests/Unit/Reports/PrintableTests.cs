using HangTriage.Reports;

namespace HangTriage.Tests.Unit.Reports;

public sealed class PrintableTests
{
    [Theory]
    [InlineData("\u001b]0;title\u0007", @"\x1b]0;title\x07")]
    [InlineData("a\r\nb\tc", @"a\r\nb\tc")]
    [InlineData("\u009b2J\u007f\0", @"\x9b2J\x7f\x00")]
    [InlineData("evil\u202etxt.exe", @"evil\u202etxt.exe")]
    [InlineData("\u200bx\u2028y\ufeff", @"\u200bx\u2028y\ufeff")]
    [InlineData("List<T>.<Main>$ `|\\", "List<T>.<Main>$ `|\\")]
    public void What_a_terminal_would_act_on_is_written_as_an_escape(string text, string expected)
        => Assert.Equal(expected, Printable.Ascii(text));

    [Fact]
    public void Letters_of_other_scripts_stay_in_Markdown_and_are_escapes_in_text()
    {
        Assert.Equal("Zähler 数", Printable.Line("Zähler 数"));
        Assert.Equal(@"Z\xe4hler \u6570 \U0001f600", Printable.Ascii("Zähler 数 😀"));
        Assert.Equal(@"a\u202eb\xa0c", Printable.Line("a\u202eb\u00a0c"));
    }

    [Fact]
    public void Half_a_character_is_shown_as_broken()
        => Assert.Equal(@"a\ufffdb", Printable.Ascii(string.Concat("a", (char)0xd800, "b")));

    [Fact]
    public void A_name_without_end_is_cut()
        => Assert.Equal(new string('x', Printable.Longest) + "... (7 characters more)", Printable.Ascii(new string('x', Printable.Longest + 7)));
}
