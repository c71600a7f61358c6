using System.Net;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Reports.Dml;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Reports;

public sealed partial class DmlLinksTests
{
    [Fact]
    public void Without_its_tags_the_page_is_the_text_report()
        => Assert.All(SampleResults.All(), result => Assert.Equal(Text(result, TextReportOptions.Whole), WebUtility.HtmlDecode(Tags().Replace(Page(result), string.Empty))));

    [Fact]
    public void Nothing_that_the_target_says_is_markup_or_gets_into_a_command()
    {
        string page = Page(SampleResults.Hostile(SampleResults.HostileText + "\"><link cmd=\".shell x\">thread 114 (0x6710)</link>&"));

        Assert.All(Commands().Matches(page), match => Assert.Matches(@"^(~~\[0x[0-9a-f]+\]s;k|!(cs|do|ip2md|handle) 0x[0-9a-f]+( f)?|ln 0x[0-9a-f]+;ub 0x[0-9a-f]+)$", match.Groups[1].Value));
        Assert.DoesNotContain('<', Tags().Replace(page, string.Empty));
    }

    [Fact]
    public void Threads_locks_and_frames_show_themselves()
    {
        string page = Page(SampleResults.Spinner());

        Assert.Contains("<link cmd=\"~~[0x6710]s;k\">thread 114 (0x6710)</link> \"OMP worker\"", page, StringComparison.Ordinal);
        Assert.Contains("the loader lock (<link cmd=\"!cs 0x7ffd00001000\">0x7ffd00001000</link>)", page, StringComparison.Ordinal);
        Assert.Matches(@"\n  <link cmd=""ln (0x[0-9a-f]+);ub \1"">mkl_core\+0x4711</link>\n", page);
        Assert.Contains("<b>== SPINNING OWNER", page, StringComparison.Ordinal);
    }

    [Fact]
    public void The_object_of_a_monitor_is_shown_as_an_object()
        => Assert.Matches(@"<link cmd=""!do (0x[0-9a-f]+)"">\1</link>", Page(SampleResults.Deadlock()));

    [Fact]
    public void A_thread_and_a_handle_of_one_number_are_two_links()
    {
        Party thread = Party.OfThread(new ThreadId(0x1a4), Claim.Of(new ClaimPart("thread 1 (0x1a4)") { Thread = new ThreadId(0x1a4) }));
        LockId mutex = new(LockKind.Mutex, new Address(0x1a4));
        Party handle = Party.OfLock(mutex, $"mutex ({Claim.Of(new ClaimPart("0x1a4") { Lock = mutex })})");
        TriageResult result = SampleResults.NotHung();

        string page = Page(result with { Verdict = result.Verdict with { Victims = [handle, thread] } });

        Assert.Contains("mutex (<link cmd=\"!handle 0x1a4 f\">0x1a4</link>)\n", page, StringComparison.Ordinal);
        Assert.Contains("<link cmd=\"~~[0x1a4]s;k\">thread 1 (0x1a4)</link>\n", page, StringComparison.Ordinal);
    }

    private static string Page(TriageResult result) => Text(result, DmlLinks.In(TextReportOptions.Whole));

    private static string Text(TriageResult result, TextReportOptions options)
    {
        using StringWriter text = new();
        TextReport.Write(result, text, options);
        return text.ToString();
    }

    [GeneratedRegex("</?(b|link)( cmd=\"[^\"]*\")?>")]
    private static partial Regex Tags();

    [GeneratedRegex("<link cmd=\"([^\"]*)\">")]
    private static partial Regex Commands();
}
