using System.Diagnostics;
using System.Text.RegularExpressions;
using HangTriage.Tests.EndToEnd.Live;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>
/// Loops under a lock for which others wait, each from one core: those that come back to where they were are proved to have no end, and
/// their twins, of the same code, which end after a while, are never called a hang.
/// </summary>
public sealed class LoopTests
{
    private const int Hang = 1;

    // By kind: the method of the loop.
    private static readonly (string Kind, string Method)[] s_proved =
    [
        ("linked-rows", "Walks.Total"), ("parents", "Walks.RootOf"), ("shared-table", "Walks.Free"), ("bisection", "Numbers.IndexOf"),
        ("converging", "Numbers.Root"), ("remainder", "Numbers.Parts"), ("parser", "Texts.Fields"), ("stale-update", "Retries.Take"),
    ];

    // Of these one core shows that they compute, and no more: they go through more states than can be tried, or call the runtime.
    private static readonly string[] s_others =
        ["counting-down", "double-spaces", "failing-call", "pattern", "plain-flag", "routes", "sequence"];

    public static TheoryData<string, string> Proved { get; } = [.. s_proved];

    public static TheoryData<string> All { get; } = [.. s_proved.Select(loop => loop.Kind), .. s_others];

    [Theory]
    [InlineData("shared-table", "Walks.Free")]
    [InlineData("converging", "Numbers.Root")]
    public Task A_loop_that_comes_back_to_where_it_was_has_no_end(string kind, string method) => IsProvedAsync(kind, method);

    [Theory]
    [MemberData(nameof(Proved))]
    [Trait("Tier", "all")]
    public Task Each_loop_that_comes_back_to_where_it_was_has_no_end(string kind, string method) => IsProvedAsync(kind, method);

    [Theory]
    [InlineData("shared-table")]
    public Task A_loop_that_ends_is_no_hang(string kind) => EndsAsync(kind);

    [Theory]
    [MemberData(nameof(All))]
    [Trait("Tier", "all")]
    public Task No_loop_that_ends_is_a_hang(string kind) => EndsAsync(kind);

    private static async Task IsProvedAsync(string kind, string method)
    {
        ToolRun run = await AnalyzeAsync(kind, "endless");

        Assert.True(run.ExitCode == Hang, run.ToString());
        Assert.Matches($" (of|in) {Regex.Escape(method)} ", run.Out.Replace('\n', ' '));
    }

    private static async Task EndsAsync(string kind)
    {
        ToolRun run = await AnalyzeAsync(kind, "ending");

        Assert.True(run.ExitCode != Hang, run.ToString());
    }

    private static async Task<ToolRun> AnalyzeAsync(string kind, string state)
    {
        Linux.Need();
        using TemporaryFolder folder = new();
        string core = folder["loop.core"];
        ProcessStartInfo start = new(DotNetPrograms.Find("Loops", TargetFramework.Net10), [kind, state]);
        await DumpTool.DumpAsync(start, [(DumpType.Full, core)], TestContext.Current.CancellationToken);
        return Tool.Run("analyze", core);
    }
}
