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
    private static readonly ConcurrentDictionary<string, Lazy<Task<Judgement>>> s_judgements = new();

    /// <summary>Whether all programs are judged, and not only those of every run.</summary>
    public static bool IsOfAll { get; } = Tier.IsWhole;

    public static IReadOnlyList<ExpectedProgram> Chosen { get; } = [.. ExpectedProgram.All.Where(program => IsOfAll || program.InEveryRun)];

    /// <summary>Where the cores are kept; null where none outlives its verdict.</summary>
    private static string? KeptCores { get; } = Environment.GetEnvironmentVariable("HANGTRIAGE_TRUTH_CORES");

    public static Task<Judgement> JudgeAsync(ExpectedProgram program)
        => s_judgements.GetOrAdd(program.Id, _ => new(() => Task.Run(() => MakeAsync(program)))).Value;

    /// <summary>Of another run of the program; the table keeps the first.</summary>
    public static Task<Judgement> JudgeAgainAsync(ExpectedProgram program) => Task.Run(() => MakeAsync(program));

    private static async Task<Judgement> MakeAsync(ExpectedProgram program)
    {
        await s_places.WaitAsync();
        try
        {
            using TemporaryFolder folder = new();
            string core = folder["program.core"];
            ProcessStartInfo start = new(TruthPrograms.Find(), [program.Id]);
            start.Environment["TRUTH_FOLDER"] = folder.Folder;
            await DumpTool.DumpAsync(start, [(DumpType.Full, core)], CancellationToken.None);
            ToolRun run = Tool.Run("analyze", core, "--format", "json");
            await KeepAsync(program, core, run);
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
    private static async Task KeepAsync(ExpectedProgram program, string core, ToolRun run)
    {
        string reports = Directory.CreateDirectory(Path.Combine(Repository.Artifacts, "truth", "reports")).FullName;
        await File.WriteAllTextAsync(Path.Combine(reports, program.Id + ".json"), run.Out);
        await File.WriteAllTextAsync(Path.Combine(reports, program.Id + ".stderr.txt"), run.Error);
        if (KeptCores is { } cores)
        {
            File.Move(core, Path.Combine(Directory.CreateDirectory(cores).FullName, program.Id + ".core"), overwrite: true);
        }
    }
}
