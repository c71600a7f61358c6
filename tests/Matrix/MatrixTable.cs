using System.Globalization;
using System.Text;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Matrix;

/// <summary>
/// Every cell as text: a line a sample and framework, a column each kind of dump of code as it starts and each other state of the code,
/// and the reasons below.
/// </summary>
internal static class MatrixTable
{
    private static readonly Column[] s_columns =
    [
        .. DumpKinds.All.Select(kind => new Column(kind.Name(), kind, CodeState.Cold)),
        new("optimised", DumpKind.Full, CodeState.Optimised), new("warm", DumpKind.Full, CodeState.Warm),
    ];

    public static string Of(IReadOnlyList<Cell> cells)
    {
        List<string> reasons = [];
        List<string[]> lines = [["sample", ".NET", .. s_columns.Select(column => column.Name)]];
        foreach (IGrouping<(string Sample, TargetFramework Framework), Cell> line in cells.GroupBy(cell => (cell.Run.Sample, cell.Run.Framework)))
        {
            lines.Add(
            [
                line.Key.Sample, line.Key.Framework.Moniker(),
                .. s_columns.Select(column => IsOfThisTier(line.Key, column) ? TextOf(line.SingleOrDefault(column.Has), reasons) : "-"),
            ]);
        }

        StringBuilder text = new();
        int[] widths = [.. Enumerable.Range(0, lines[0].Length).Select(column => lines.Max(line => line[column].Length))];
        foreach (string[] line in lines)
        {
            text.AppendLine(string.Join("  ", line.Select((word, column) => word.PadRight(widths[column]))).TrimEnd());
        }

        for (int i = 0; i < reasons.Count; i++)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"[{i + 1}] {reasons[i]}");
        }

        return text.Append(RetakesIn(cells)).ToString();
    }

    // Of a run, all cells have the same.
    private static string RetakesIn(IReadOnlyList<Cell> cells)
    {
        MatrixRun[] runs = [.. cells.Select(cell => cell.Run).Distinct()];
        string[] retakes = [.. cells.DistinctBy(cell => cell.Run).Where(cell => cell.Retakes.Count > 0).Select(cell => $"{cell.Run}{(cell.Run.IsWindows ? " for Windows" : "")}: {string.Join("; ", cell.Retakes)}")];
        return string.Create(CultureInfo.InvariantCulture, $"dumps were taken again in {retakes.Length} of {runs.Length} runs\n{string.Concat(retakes.Select(retake => $"  {retake}\n"))}");
    }

    private static bool IsOfThisTier((string Sample, TargetFramework Framework) line, Column column)
        => new MatrixRun(line.Sample, line.Framework, IsWindows: !column.Kind.IsCore(), column.Code) is var run
            && MatrixRun.Whole.Contains(run) && run.Kinds.Contains(column.Kind);

    private static string TextOf(Cell? cell, List<string> reasons)
    {
        if (cell is null)
        {
            return "MISSING";
        }

        string text = cell.Differences.Count > 0 ? $"WRONG ({cell.Text})" : cell.Text;
        string? reason = cell.Differences.Count > 0 ? cell.ToString() : cell.Why;
        if (reason is null)
        {
            return text;
        }

        int number = reasons.IndexOf(reason);
        if (number < 0)
        {
            number = reasons.Count;
            reasons.Add(reason);
        }

        return string.Create(CultureInfo.InvariantCulture, $"{text} [{number + 1}]");
    }

    private sealed record Column(string Name, DumpKind Kind, CodeState Code)
    {
        public bool Has(Cell cell) => cell.Kind == Kind && cell.Run.Code == Code;
    }
}
