namespace HangTriage.Reports.Summary;

/// <summary>Groups reports by signature while they are read. Its memory is bounded: a report is forgotten once it is counted.</summary>
public sealed class SummaryTable
{
    /// <summary>More different hangs than this are no hangs of one program any more; their reports are counted together.</summary>
    public const int MostGroups = 10_000;

    private const int MostReasons = 5;

    private readonly Dictionary<string, SummaryGroup> _groups = new(StringComparer.Ordinal);
    private readonly List<string> _reasons = [];

    public long Reports { get; private set; }

    /// <summary>Reports of hangs for which there was no room.</summary>
    public long Ungrouped { get; private set; }

    /// <summary>Lines or files that are no reports.</summary>
    public long Bad { get; private set; }

    /// <summary>Where the first of those are, and why.</summary>
    public IReadOnlyList<string> BadPlaces => _reasons;

    /// <summary>Hangs first, then those that were seen most often.</summary>
    public IReadOnlyList<SummaryGroup> Groups()
        =>
        [
            .. _groups.Values
                .OrderBy(group => group.Representative.Kind is "NotHung" or "BusyNotHung" or "Inconclusive")
                .ThenByDescending(group => group.Count)
                .ThenBy(group => group.Hash, StringComparer.Ordinal),
        ];

    public void Add(ReportDigest report)
    {
        ArgumentNullException.ThrowIfNull(report);
        Reports++;
        if (!_groups.TryGetValue(report.Signature, out SummaryGroup? group))
        {
            if (_groups.Count >= MostGroups)
            {
                Ungrouped++;
                return;
            }

            group = new SummaryGroup(report);
            _groups.Add(report.Signature, group);
        }

        group.Add(report);
    }

    public void AddBad(string place, string why)
    {
        Bad++;
        if (_reasons.Count < MostReasons)
        {
            _reasons.Add($"{place}: {why}");
        }
    }
}
