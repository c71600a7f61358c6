using System.Globalization;

namespace HangTriage.Tests.Matrix;

/// <summary>
/// A dump is an instant, and some are between two states: there the tool rightly says that it does not know. Such a run
/// is dumped again. A verdict that is wrong is wrong at once.
/// </summary>
internal sealed class Instants
{
    // Each of one sample's instants tells too little in about one of 30; three in a row are no accident.
    private const int Most = 3;

    private readonly List<string> _unsure = [];

    public bool IsAnotherNeeded(IReadOnlyList<Cell> cells)
    {
        Cell[] unsure = [.. cells.Where(cell => cell.IsUnsure)];
        bool isAnotherNeeded = unsure.Length > 0 && unsure.Length == cells.Count(cell => cell.Differences.Count > 0) && _unsure.Count < Most - 1;
        if (isAnotherNeeded)
        {
            _unsure.Add(unsure[0].ToString());
        }

        return isAnotherNeeded;
    }

    /// <summary>The cells of the last instant; what the others lacked is told in the table.</summary>
    public IReadOnlyList<Cell> Last(IReadOnlyList<Cell> cells)
        => _unsure.Count == 0
            ? cells
            : [.. cells.Select(cell => cell with { Why = string.Create(CultureInfo.InvariantCulture, $"dump {_unsure.Count + 1}; before it {string.Join(" and ", _unsure)}") })];
}
