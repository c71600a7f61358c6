using System.Globalization;

namespace HangTriage.Reports;

/// <summary>Several things that are missing for one reason.</summary>
/// <param name="Why">The reason.</param>
/// <param name="What">Each thing once, with how often it is missing.</param>
internal sealed record UnseenGroup(string Why, IReadOnlyList<UnseenThing> What)
{
    /// <summary>As "CPU time (15), start of the thread (15): this ELF core does not record it".</summary>
    /// <param name="most">How many things are named; the rest are counted.</param>
    public string ToText(int most)
    {
        string more = What.Count > most ? string.Create(CultureInfo.InvariantCulture, $" and {What.Count - most} more") : string.Empty;
        string what = string.Join(", ", What.Take(most).Select(Named)) + more;
        return What is [{ Count: 1 } only] && Why.StartsWith(only.What, StringComparison.Ordinal) ? Why : $"{what}: {Why}";
    }

    private static string Named(UnseenThing thing)
        => thing.Count == 1 ? thing.What : string.Create(CultureInfo.InvariantCulture, $"{thing.What} ({thing.Count})");
}
