using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Rules;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>!triage in the real debugger engine on the dump of a hang: one session with .NET 10, and one with .NET 8 that takes links.</summary>
public sealed partial class DebuggerExtensionTests
{
    private static readonly Lazy<Session> s_session = new(Session.Run);

    private static string Dump => WindowsLab.Dump("LoaderLockSpin", "0x1806");

    [Fact]
    public void The_verdict_is_in_the_words_of_the_command_line()
    {
        Verdict expected = Triage.Judge(TargetFile.Capture(Dump, CaptureContext.Default)).Verdict;

        string output = Unwrapped(s_session.Value.First);

        Assert.Contains($"== SPINNING OWNER, {expected.Confidence!.Value.ToString().ToLowerInvariant()}: ", output, StringComparison.Ordinal);
        Assert.Contains(expected.Signature.Hash, output, StringComparison.Ordinal);
        Assert.Contains($"Culprit {expected.Culprit!.Label}", output, StringComparison.Ordinal);
        Assert.Contains($"{expected.Victims[0].Label}: {expected.Victims[0].Role}", output, StringComparison.Ordinal);
        Assert.Contains(expected.Culprit.Role!.Text, output, StringComparison.Ordinal);
        Assert.DoesNotContain("HRESULT", output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_users_current_thread_is_left_as_it_was()
        => Assert.Contains(".  2  Id:", s_session.Value.CurrentThread, StringComparison.Ordinal);

    [Fact]
    public void A_second_call_is_answered_from_the_facts_of_the_first_until_the_extension_is_loaded_again()
    {
        string[] calls = [s_session.Value.First, s_session.Value.Second, s_session.Value.LoadedAgain];

        Assert.All(calls, call => Assert.Contains("== SPINNING OWNER, ", call, StringComparison.Ordinal));
        Assert.Equal([false, true, false], calls.Select(call => call.Contains("the session has not changed since", StringComparison.Ordinal)));
    }

    [Fact]
    public void All_threads_have_their_stack_with_v()
    {
        Assert.Equal(2, s_session.Value.First.Split("\nStack of ").Length - 1);
        Assert.Equal(5, s_session.Value.Second.Split("\nStack of ").Length - 1);
    }

    [Fact]
    public void Reports_are_written_to_files_whose_names_may_have_blanks()
    {
        Assert.Contains("a report.json is written", s_session.Value.WithFiles, StringComparison.Ordinal);
        Assert.DoesNotContain("HRESULT", s_session.Value.WithFiles, StringComparison.Ordinal);
        using JsonDocument report = JsonDocument.Parse(s_session.Value.Json);
        Assert.Equal("SpinningOwner", report.RootElement.GetProperty("verdict").GetProperty("kind").GetString());
        Assert.StartsWith("# ", s_session.Value.Markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_cannot_be_written_is_one_line_and_a_result()
    {
        Assert.Matches(@"triage: [^\n]*C:\\nowhere\\report\.json", s_session.Value.NoSuchFolder);
        Assert.Contains("HRESULT 0x80070003", s_session.Value.NoSuchFolder, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_the_output_takes_links_threads_locks_and_frames_are_links_and_elsewhere_plain()
    {
        string page = Assert.Single(DebuggerExtension.Answers(["--dml", "--dotnet", DebuggerExtension.DotNet8, Dump], "!triage"));

        Assert.Matches(@"<link cmd=""~~\[(0x[0-9a-f]+)\]s;k"">thread \d+ \(\1\)</link> ""exiting""", page);
        Assert.Matches(@"<link cmd=""!cs (0x[0-9a-f]+)"">\1</link>", page);
        Assert.Matches(@"<link cmd=""ln (0x[0-9a-f]+);ub \1"">spin!spin_until_released\+0x[0-9a-f]+</link>", page);
        Assert.Equal(s_session.Value.First, WebUtility.HtmlDecode(Tags().Replace(page, string.Empty)));
    }

    [GeneratedRegex("</?(b|link)( cmd=\"[^\"]*\")?>")]
    private static partial Regex Tags();

    private static string Unwrapped(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

    private sealed record Session(
        string First, string CurrentThread, string Second, string WithFiles, string NoSuchFolder, string LoadedAgain, string Json, string Markdown)
    {
        public static Session Run()
        {
            using TemporaryFolder folder = new();
            string json = folder["a report.json"], markdown = folder["incident.md"];
            IReadOnlyList<string> answers = DebuggerExtension.Answers(
                ["--dotnet", DebuggerExtension.DotNet10, Dump],
                "~2s",
                "call: triage",
                "~.",
                "call: triage -v",
                $"call: triage -json \"{WindowsLab.WindowsPath(json)}\" -md {WindowsLab.WindowsPath(markdown)}",
                "call: triage -json C:\\nowhere\\report.json",
                ".unload",
                DebuggerExtension.Load,
                "call: triage");
            return new Session(answers[1], answers[2], answers[3], answers[4], answers[5], answers[8], File.ReadAllText(json), File.ReadAllText(markdown));
        }
    }
}
