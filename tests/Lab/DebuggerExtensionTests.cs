using System.Net;
using System.Text.RegularExpressions;
using HangTriage.Capture;
using HangTriage.Rules;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>!triage in the real debugger engine.</summary>
public sealed partial class DebuggerExtensionTests
{
    private const string Full = "0x1806";
    private const string Sample = "LoaderLockSpin";

    [Theory]
    [InlineData(DebuggerExtension.DotNet8)]
    [InlineData(DebuggerExtension.DotNet10)]
    public void The_verdict_on_a_dump_is_that_of_the_command_line(string dotnet)
    {
        string dump = WindowsLab.Dump(Sample, Full);
        Verdict expected = Triage.Judge(TargetFile.Capture(dump, CaptureContext.Default)).Verdict;

        LabRun run = DebuggerExtension.Run(dotnet, dump, "!triage");

        string output = Unwrapped(run.Output);
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains($"== SPINNING OWNER, {expected.Confidence.ToString().ToLowerInvariant()} ", output, StringComparison.Ordinal);
        Assert.Contains(expected.Signature, output, StringComparison.Ordinal);
        Assert.Contains($"Culprit {expected.Culprit!.Label}", output, StringComparison.Ordinal);
        Assert.Contains($"{expected.Victims[0].Label}: {expected.Victims[0].Role}", output, StringComparison.Ordinal);
        Assert.Contains(expected.Culprit.Role!, output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_live_process_is_judged_with_the_same_culprit_as_its_dump()
    {
        LabRun run = DebuggerExtension.RunLive(DebuggerExtension.DotNet8, Sample, "!triage");

        // The instant of a live look is not chosen: now and then it falls between two yields, where the owner computes.
        Assert.Matches("== (SPINNING|BUSY) OWNER, ", run.Output);
        Assert.Contains("spin!spin_until_released", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_process_that_is_debugged_is_judged_where_it_has_broken_in()
    {
        LabRun run = DebuggerExtension.Engine("--dotnet", DebuggerExtension.DotNet10, "--debug", "CriticalSectionCycle", DebuggerExtension.Load, "!triage");

        Assert.Contains("== DEADLOCK, certain", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_second_call_is_answered_from_the_facts_of_the_first_until_the_extension_is_loaded_again()
    {
        LabRun run = DebuggerExtension.Run(
            DebuggerExtension.DotNet8, WindowsLab.Dump(Sample, Full), "!triage", ".echo second", "!triage", ".echo third", ".unload", DebuggerExtension.Load, "!triage");

        string[] calls = run.Output.Split(["second", "third"], StringSplitOptions.None);
        Assert.All(calls, call => Assert.Contains("== SPINNING OWNER, ", call, StringComparison.Ordinal));
        Assert.Equal([false, true, false], calls.Select(call => call.Contains("the session has not changed since", StringComparison.Ordinal)));
    }

    [Fact]
    public void Where_the_output_takes_links_threads_locks_and_frames_are_links_and_elsewhere_plain()
    {
        string dump = WindowsLab.Dump(Sample, Full);

        string page = DebuggerExtension.Engine("--dml", "--dotnet", DebuggerExtension.DotNet8, dump, DebuggerExtension.Load, "!triage").Output;
        string text = DebuggerExtension.Run(DebuggerExtension.DotNet8, dump, "!triage").Output;

        Assert.Matches(@"<link cmd=""~~\[(0x[0-9a-f]+)\]s;k"">thread \d+ \(\1\)</link> ""exiting""", page);
        Assert.Matches(@"<link cmd=""!cs (0x[0-9a-f]+)"">\1</link>", page);
        Assert.Matches(@"<link cmd=""ln (0x[0-9a-f]+);ub \1"">spin!spin_until_released\+0x[0-9a-f]+</link>", page);
        Assert.Equal(text, WebUtility.HtmlDecode(Tags().Replace(page, string.Empty)));
    }

    [Fact]
    public void Without_DotNet_one_line_says_what_to_install()
    {
        LabRun run = DebuggerExtension.RunWithoutDotNet(WindowsLab.Dump(Sample, Full), "call: triage");

        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains(".NET 8 or later", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_users_current_thread_is_left_as_it_was()
    {
        LabRun run = DebuggerExtension.Run(DebuggerExtension.DotNet8, WindowsLab.Dump(Sample, Full), "~2s", "!triage", "~.");

        Assert.Contains(".  2  Id:", run.Output, StringComparison.Ordinal);
    }

    [GeneratedRegex("</?(b|link)( cmd=\"[^\"]*\")?>")]
    private static partial Regex Tags();

    private static string Unwrapped(string text) => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
}
