using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Matrix;

/// <summary>Each .NET sample, hung for real on each .NET, judged in each kind of dump as its expected.json says.</summary>
public abstract class RunTests
{
    private protected static TheoryData<string, TargetFramework> Of(bool isWindows)
        => [.. MatrixRun.All.Where(run => run.IsWindows == isWindows).Select(run => (run.Sample, run.Framework))];

    private protected static async Task CheckAsync(MatrixRun run)
    {
        IReadOnlyList<Cell> cells = await Runs.CellsAsync(run).WaitAsync(TestContext.Current.CancellationToken);
        Cell[] wrong = [.. cells.Where(cell => cell.Differences.Count > 0)];
        Assert.True(wrong.Length == 0, string.Join('\n', wrong.Select(cell => cell.ToString())));
    }
}
