using System.Globalization;

namespace HangTriage.Reports.Incident;

/// <summary>How much may still be written, and what was left out for want of room.</summary>
/// <param name="characters">All that the page may have.</param>
internal sealed class PageBudget(int characters)
{
    // For the sentence that says what was left out, and the ends of what is open.
    private const int Reserve = 1_000;
    private const int MostNamed = 8;

    private readonly Dictionary<string, int> _omitted = [];
    private int _left = characters - Reserve;

    /// <summary>True where it fits; then it counts as written. False where it does not: it counts as left out.</summary>
    /// <param name="length">The characters of one block, with all of its markup.</param>
    /// <param name="part">What the reader calls the part that it belongs to.</param>
    public bool Take(int length, string part)
    {
        if (length <= _left)
        {
            _left -= length;
            return true;
        }

        _omitted[part] = _omitted.GetValueOrDefault(part) + 1;
        return false;
    }

    /// <summary>"Left out, to stay below 60,000 characters: ..."; null where nothing was.</summary>
    public string? Omitted()
    {
        if (_omitted.Count == 0)
        {
            return null;
        }

        string parts = string.Join(", ", _omitted.Take(MostNamed).Select(part => string.Create(CultureInfo.InvariantCulture, $"{Shorten.To(part.Key, 60)} ({part.Value})")));
        string more = _omitted.Count > MostNamed ? string.Create(CultureInfo.InvariantCulture, $" and {_omitted.Count - MostNamed} more parts") : string.Empty;
        return string.Create(CultureInfo.InvariantCulture, $"Left out, to stay below {characters:N0} characters: {parts}{more}.");
    }
}
