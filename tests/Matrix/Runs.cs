using System.Collections.Concurrent;
using System.Diagnostics;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Samples;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Matrix;

/// <summary>Runs each sample once for all tests that ask; two at a time, and no dump outlives its verdict.</summary>
internal static class Runs
{
    private const int AtATime = 2;

    private static readonly SemaphoreSlim s_places = new(AtATime);
    private static readonly ConcurrentDictionary<MatrixRun, Lazy<Task<IReadOnlyList<Cell>>>> s_cells = new();

    public static Task<IReadOnlyList<Cell>> CellsAsync(MatrixRun run)
        => s_cells.GetOrAdd(run, _ => new(() => Task.Run(() => MakeAsync(run)))).Value;

    private static async Task<IReadOnlyList<Cell>> MakeAsync(MatrixRun run)
    {
        await s_places.WaitAsync();
        try
        {
            using TemporaryFolder folder = new();
            return run.Kinds.All(kind => run.Expected(kind).IsSkipped) ? [.. run.Kinds.Select(kind => Judge.Compare(run, kind, NotRun))]
                : run.IsWindows ? OnWindows(run, folder)
                : await OnLinuxAsync(run, folder);
        }
#pragma warning disable CA1031 // Whatever goes wrong with a sample stands in its cells; the others are still to be seen.
        catch (Exception e)
#pragma warning restore CA1031
        {
            return [.. run.Kinds.Select(kind => new Cell(run, kind, "failed") { Differences = [e.Message] })];
        }
        finally
        {
            s_places.Release();
        }
    }

    private static async Task<IReadOnlyList<Cell>> OnLinuxAsync(MatrixRun run, TemporaryFolder folder)
    {
        string program = run.Code == CodeState.Warm
            ? DotNetPrograms.FindOptimised(run.Sample)
            : DotNetPrograms.Find(Path.GetFileName(run.Sample), run.Framework);
        (DumpType, string)[] dumps = [.. run.Kinds.Select(kind => (TypeOf(kind), folder[kind.Name()]))];
        Retakes retakes = new();
        while (true)
        {
            await DumpTool.DumpAsync(StartOf(program, run, folder), dumps, CancellationToken.None);
            if (run.Code == CodeState.Warm && !Moment.IsWarm(run, dumps[0].Item2, WarmCode.Map(folder.Folder), retakes))
            {
                continue;
            }

            bool hasCrashed = false;
            Cell[] cells =
            [
                .. run.Kinds.Select(kind => Judge.Compare(run, kind, () =>
                {
                    ToolRun report = Judge.OfCore(folder[kind.Name()], program, out bool crashed);
                    hasCrashed |= crashed;
                    return report;
                })),
            ];
            if (hasCrashed && retakes.IsLeft(RetakeReason.LibraryCrashed))
            {
                retakes.Add(RetakeReason.LibraryCrashed, "the library that reads the runtime's data crashed in our tool");
            }
            else if (IsRightOrOurs(run, cells, dumps.Select(dump => dump.Item2), retakes))
            {
                return With(retakes, cells);
            }
        }
    }

    private static DumpType TypeOf(DumpKind kind) => kind switch
    {
        DumpKind.Full => DumpType.Full,
        DumpKind.Heap => DumpType.WithHeap,
        _ => DumpType.Normal,
    };

    private static ProcessStartInfo StartOf(string program, MatrixRun run, TemporaryFolder folder) => run.Code switch
    {
        CodeState.Optimised => OptimisedCode.Start(program),
        CodeState.Warm => WarmCode.Start(program, folder.Folder),
        _ => new ProcessStartInfo(program),
    };

    private static IReadOnlyList<Cell> OnWindows(MatrixRun run, TemporaryFolder folder)
    {
        Retakes retakes = new();
        string dump = folder["program.dmp"];
        while (true)
        {
            LabRun taken = WindowsLab.Run("dump", "--framework", run.Framework.Moniker(), run.Sample, "0x1806", dump);
            if (taken.ExitCode != 0)
            {
                retakes.Add(RetakeReason.NotTaken, $"no dump: {taken.Output}{taken.Error}".Trim());
            }
            else
            {
                Cell[] cells =
                [
                    Judge.Compare(run, DumpKind.Windows, () => WindowsLab.Triage("analyze", WindowsLab.WindowsPath(dump), "--format", "json")),
                    Judge.Compare(run, DumpKind.WindowsOnLinux, () => Judge.InProcess(dump)),
                ];
                if (IsRightOrOurs(run, cells, [dump], retakes))
                {
                    return With(retakes, cells);
                }
            }
        }
    }

    // What is judged as declared needs no other dump; what is not is our defect, if the dump holds what the sample is about.
    private static bool IsRightOrOurs(MatrixRun run, IReadOnlyList<Cell> cells, IEnumerable<string> files, Retakes retakes)
        => cells.All(cell => cell.Differences.Count == 0) || Moment.IsRight(run, Telling(run, files), retakes);

    // A dump that cannot show the managed half cannot show the state either, and what is expected of it rests on neither.
    private static IReadOnlyList<(DumpKind Kind, string File)> Telling(MatrixRun run, IEnumerable<string> files)
        => [.. run.Kinds.Zip(files).Where(dump => !dump.First.IsBlind() && !run.Expected(dump.First).IsSkipped)];

    private static IReadOnlyList<Cell> With(Retakes retakes, IEnumerable<Cell> cells) => [.. cells.Select(cell => cell with { Retakes = retakes.Told })];

    private static ToolRun NotRun() => throw new InvalidOperationException("this cell is not run");
}
