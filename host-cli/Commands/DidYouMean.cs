namespace HangTriage.Cli.Commands;

/// <summary>Finds what a mistyped word was meant to be.</summary>
internal static class DidYouMean
{
    // A third of the letters may be wrong: more is another word.
    private const int LettersPerMistake = 3;
    private const int LongestWord = 40;

    /// <summary>" Did you mean --format?"; empty where nothing is near.</summary>
    public static string Of(string word, IEnumerable<string> candidates)
    {
        if (word.Length > LongestWord)
        {
            return string.Empty;
        }

        string? nearest = candidates
            .Select(candidate => (Text: candidate, Mistakes: Mistakes(word.ToUpperInvariant(), candidate.ToUpperInvariant())))
            .Where(pair => pair.Mistakes <= Math.Max(1, pair.Text.Trim('-').Length / LettersPerMistake))
            .OrderBy(pair => pair.Mistakes)
            .ThenBy(pair => pair.Text, StringComparer.Ordinal)
            .FirstOrDefault().Text;
        return nearest is null ? string.Empty : $" Did you mean {nearest}?";
    }

    /// <summary>How many letters have to be put in, taken out, replaced or swapped with the next one.</summary>
    internal static int Mistakes(string left, string right)
    {
        int[,] costs = new int[left.Length + 1, right.Length + 1];
        for (int i = 0; i <= left.Length; i++)
        {
            for (int j = 0; j <= right.Length; j++)
            {
                costs[i, j] = i == 0 ? j : j == 0 ? i
                    : Math.Min(Math.Min(costs[i - 1, j] + 1, costs[i, j - 1] + 1), costs[i - 1, j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1));
                if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                {
                    costs[i, j] = Math.Min(costs[i, j], costs[i - 2, j - 2] + 1);
                }
            }
        }

        return costs[left.Length, right.Length];
    }
}
