using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>What stands behind !triage, where there is no .NET: one session of the engine for all of it.</summary>
public sealed class DebuggerExtensionOptionTests
{
    private static readonly Lazy<IReadOnlyDictionary<string, string>> s_answers = new(Ask);

    public static TheoryData<string> Help { get; } = ["-help", "--help", "-?"];

    public static TheoryData<string, string> Refused { get; } = new()
    {
        { "-bogus", "unknown argument -bogus; try !triage -help" },
        { "more", "unknown argument more; try !triage -help" },
        { "-trace", "-trace needs the name of a file; try !triage -help" },
        { "-trace a.etl -trace b.etl", "-trace is given twice" },
        { "-json", "-json needs the name of a file; try !triage -help" },
        { "-json -v", "-json needs the name of a file; try !triage -help" },
        { "-md \"C:\\a b", "a quote is not closed; try !triage -help" },
        { "-md a.md -md b.md", "-md is given twice" },
        { "-v -outofproc", "-v and -outofproc do not go together; -md has every stack" },
    };

    [Theory]
    [MemberData(nameof(Help))]
    public void Help_is_printed_and_succeeds(string option)
    {
        Assert.Contains("0:000> !triage", s_answers.Value[option], StringComparison.Ordinal);
        Assert.DoesNotContain("HRESULT", s_answers.Value[option], StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void What_cannot_be_carried_out_fails_with_one_line_and_a_result_before_DotNet_is_started(string arguments, string line)
        => Assert.Equal($"triage: {line}\nHRESULT 0x80070057", s_answers.Value[arguments].ReplaceLineEndings("\n").Trim());

    [Fact]
    public void Without_DotNet_one_line_says_what_to_install_and_where_it_was_looked_for()
    {
        string[] lines = s_answers.Value[string.Empty].ReplaceLineEndings("\n").Trim().Split('\n');

        Assert.Equal("HRESULT 0x8007007e", lines[1]);
        Assert.Equal(2, lines.Length);
        Assert.Matches("triage: .NET 8 or later .* was not found; install the .NET Runtime .* Looked in: DOTNET_ROOT .*Program Files", lines[0]);
    }

    private static IReadOnlyDictionary<string, string> Ask()
    {
        string[] arguments = [.. Help.Select(row => row.Data), .. Refused.Select(row => row.Data.Item1), string.Empty];
        IReadOnlyList<string> answers = DebuggerExtension.Answers(
            [WindowsLab.Dump("LoaderLockSpin", "0x1806")], [.. arguments.Select(line => $"call: triage {line}")]);
        return arguments.Zip(answers).ToDictionary(pair => pair.First, pair => pair.Second);
    }
}
