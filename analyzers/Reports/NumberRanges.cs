using System.Globalization;

namespace HangTriage.Reports;

/// <summary>Writes the numbers of many threads in few words.</summary>
internal static class NumberRanges
{
    /// <summary>"4-17, 19, 22-30 and 12 more".</summary>
    /// <param name="numbers">Each once.</param>
    /// <param name="most">How many ranges are written; the numbers behind them are counted.</param>
    public static string Of(IEnumerable<int> numbers, int most)
    {
        List<(int First, int Last)> ranges = [];
        foreach (int number in numbers.Distinct().Order())
        {
            if (ranges.Count > 0 && ranges[^1].Last == number - 1)
            {
                ranges[^1] = (ranges[^1].First, number);
            }
            else
            {
                ranges.Add((number, number));
            }
        }

        int left = ranges.Skip(most).Sum(range => range.Last - range.First + 1);
        string more = left == 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $" and {left} more");
        return string.Join(", ", ranges.Take(most).Select(Text)) + more;
    }

    private static string Text((int First, int Last) range) => range switch
    {
        _ when range.First == range.Last => range.First.ToString(CultureInfo.InvariantCulture),
        _ when range.First + 1 == range.Last => string.Create(CultureInfo.InvariantCulture, $"{range.First}, {range.Last}"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{range.First}-{range.Last}"),
    };
}
