using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Dumps that nobody here made: none of them hangs, and what is no Windows dump is refused.</summary>
public sealed class PublicDumpTests
{
    public static TheoryData<string> Dumps { get; } = Names("dumps");

    public static TheoryData<string> Others { get; } = Names("not-windows");

    [Theory]
    [MemberData(nameof(Dumps))]
    public void A_public_dump_is_never_called_a_hang(string name)
    {
        ToolRun run = Tool.Run("analyze", Repository.Shared("dumps", name));

        Assert.True(run.ExitCode is 0 or 2, run.ToString());
        Assert.Contains("Target  ", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Threads_whose_stubs_no_export_names_are_told_by_the_number_of_their_system_call()
    {
        ToolRun run = Tool.Run("analyze", Repository.Shared("dumps", "unreal-x64-w10-59threads.dmp"), "--format", "json");

        Assert.InRange(run.Out.Split("\"waitsForObject\"").Length - 1, 44, 59);
    }

    [Theory]
    [MemberData(nameof(Others))]
    public void What_is_no_Windows_dump_ends_with_one_line_and_code_65(string name)
    {
        ToolRun run = Tool.Run("analyze", Repository.Shared("not-windows", name));

        Assert.Equal(65, run.ExitCode);
        Assert.Empty(run.Out);
        Assert.Single(run.Error.TrimEnd('\n').Split('\n'));
    }

    private static TheoryData<string> Names(string folder)
        => Repository.SharedData is { } data
            ? [.. Directory.GetFiles(Path.Combine(data, folder)).Select(path => Path.GetFileName(path)!).Order(StringComparer.Ordinal)]
            : ["missing"];
}
