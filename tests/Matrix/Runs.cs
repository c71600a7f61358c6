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

    // All but the first are for crashes of the runtime's own library: .NET 9's crashes on one in some 80 cores of BusyDictionary.
    private const int Attempts = 5;

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
        string program = await DotNetPrograms.FindAsync(Path.GetFileName(run.Sample), run.Framework, CancellationToken.None);
        (DumpType, string)[] dumps =
        [
            (DumpType.Full, folder[DumpKind.Full.Name()]),
            (DumpType.WithHeap, folder[DumpKind.Heap.Name()]),
            (DumpType.Normal, folder[DumpKind.Mini.Name()]),
        ];
        dumps = run.IsOptimised ? dumps[..1] : dumps;
        Instants instants = new();
        for (int left = Attempts; ; left--)
        {
            await DumpTool.DumpAsync(StartOf(program, run), dumps, CancellationToken.None);
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
            if ((!hasCrashed || left == 1) && !instants.IsAnotherNeeded(cells))
            {
                return instants.Last(cells);
            }
        }
    }

    private static ProcessStartInfo StartOf(string program, MatrixRun run) => run.IsOptimised ? OptimisedCode.Start(program) : new ProcessStartInfo(program);

    private static IReadOnlyList<Cell> OnWindows(MatrixRun run, TemporaryFolder folder)
    {
        Instants instants = new();
        for (int left = run.Expected(DumpKind.Windows).Dumps; ; left--)
        {
            Cell[] cells = Dumped(run, folder[$"{left}.dmp"]);
            if ((left <= 1 || cells.All(cell => cell.Differences.Count == 0)) && !instants.IsAnotherNeeded(cells))
            {
                return instants.Last(cells);
            }
        }
    }

    private static Cell[] Dumped(MatrixRun run, string dump)
    {
        WindowsLab.Output("dump", "--framework", run.Framework.Moniker(), run.Sample, "0x1806", dump);
        return
        [
            Judge.Compare(run, DumpKind.Windows, () => WindowsLab.Triage("analyze", WindowsLab.WindowsPath(dump), "--format", "json")),
            Judge.Compare(run, DumpKind.WindowsOnLinux, () => Judge.InProcess(dump)),
        ];
    }

    private static ToolRun NotRun() => throw new InvalidOperationException("this cell is not run");
}
