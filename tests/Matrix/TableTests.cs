using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Matrix;

public sealed class TableTests(ITestOutputHelper output)
{
    /// <summary>Prints the table, also to artifacts/matrix.txt, which test.sh shows.</summary>
    [Fact]
    public async Task No_cell_of_the_matrix_is_missing_or_wrong()
    {
        WindowsLab.Require();
        IReadOnlyList<Cell>[] runs =
            await Task.WhenAll(MatrixRun.Whole.Select(Runs.CellsAsync)).WaitAsync(TestContext.Current.CancellationToken);

        string table = MatrixTable.Of([.. runs.SelectMany(cells => cells)]);
        output.WriteLine(table);
        await File.WriteAllTextAsync(Path.Combine(Repository.Artifacts, "matrix.txt"), table, TestContext.Current.CancellationToken);
        Assert.DoesNotContain("MISSING", table, StringComparison.Ordinal);
        Assert.DoesNotContain("WRONG", table, StringComparison.Ordinal);
    }
}
