using System.Collections.Concurrent;
using System.Diagnostics;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Truth.Judging;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Truth;

/// <summary>Runs each program once for all tests that ask, two at a time, and has the tool judge its core.</summary>
internal static class Runs
{
    private const int AtATime = 2;

    private static readonly SemaphoreSlim s_places = new(AtATime);
    private static readonly ConcurrentDictionary<(string Program, bool IsOptimised), Lazy<Task<Judgement>>> s_judgements = new();

    /// <summary>Whether all programs are judged, and not only those of every run.</summary>
    public static bool IsOfAll { get; } = Tier.IsWhole;

    public static IReadOnlyList<ExpectedProgram> Chosen { get; } = [.. ExpectedProgram.All.Where(program => IsOfAll || program.InEveryRun)];

    /// <summary>Where the cores are kept; null where none outlives its verdict.</summary>
    private static string? KeptCores { get; } = Environment.GetEnvironmentVariable("HANGTRIAGE_TRUTH_CORES");

    /// <param name="program">The program.</param>
    /// <param name="isOptimised">Compiled once with all that can be inlined, .NET's own code too.</param>
    public static Task<Judgement> JudgeAsync(ExpectedProgram program, bool isOptimised = false)
        => s_judgements.GetOrAdd((program.Id, isOptimised), _ => new(() => Task.Run(() => MakeAsync(program, isOptimised)))).Value;

    /// <summary>Of another run of the program; the table keeps the first.</summary>
    public static Task<Judgement> JudgeAgainAsync(ExpectedProgram program) => Task.Run(() => MakeAsync(program, isOptimised: false));

    private static async Task<Judgement> MakeAsync(ExpectedProgram program, bool isOptimised)
    {
        await s_places.WaitAsync();
        try
        {
            using TemporaryFolder folder = new();
            string core = folder["program.core"];
            ProcessStartInfo start = isOptimised
                ? OptimisedCode.Start(TruthPrograms.Find(), program.Id)
                : new(TruthPrograms.Find(), [program.Id]);
            start.Environment["TRUTH_FOLDER"] = folder.Folder;
            await DumpTool.DumpAsync(start, [(DumpType.Full, core)], CancellationToken.None);
            ToolRun run = Tool.Run("analyze", core, "--format", "json");
            await KeepAsync(program.Id + (isOptimised ? ".optimised" : string.Empty), core, run);
            return Judgement.Of(program, run);
        }
#pragma warning disable CA1031 // Whatever goes wrong with a program is its judgement; the others are still to be seen.
        catch (Exception e)
#pragma warning restore CA1031
        {
            return Judgement.Failed(program, e.Message);
        }
        finally
        {
            s_places.Release();
        }
    }

    // The reports say why the table is as it is.
    private static async Task KeepAsync(string name, string core, ToolRun run)
    {
        string reports = Directory.CreateDirectory(Path.Combine(Repository.Artifacts, "truth", "reports")).FullName;
        await File.WriteAllTextAsync(Path.Combine(reports, name + ".json"), run.Out);
        await File.WriteAllTextAsync(Path.Combine(reports, name + ".stderr.txt"), run.Error);
        if (KeptCores is { } cores)
        {
            File.Move(core, Path.Combine(Directory.CreateDirectory(cores).FullName, name + ".core"), overwrite: true);
        }
    }
}
