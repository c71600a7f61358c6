using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Summary;

/// <summary>Reports of one hang.</summary>
/// <param name="first">The first report of it that was read.</param>
public sealed class SummaryGroup(ReportDigest first)
{
    private const int MostNames = 8;
    private static readonly string[] s_surest = ["Possible", "Likely", "Certain"];

    private readonly SortedSet<string> _versions = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _processes = new(StringComparer.Ordinal);

    /// <summary>The surest report, and of those the first that was read.</summary>
    public ReportDigest Representative { get; private set; } = first;

    public string Hash { get; } = HangSignature.HashOf(first.Signature);

    public long Count { get; private set; }

    /// <summary>Of the captures; null where none says when it was taken.</summary>
    public DateTimeOffset? FirstSeen { get; private set; }

    public DateTimeOffset? LastSeen { get; private set; }

    /// <summary>.NET runtimes, at most some.</summary>
    public IReadOnlyCollection<string> Versions => _versions;

    /// <summary>Names of programs, at most some.</summary>
    public IReadOnlyCollection<string> Processes => _processes;

    internal void Add(ReportDigest report)
    {
        Count++;
        FirstSeen = FirstSeen is null || report.CapturedAt < FirstSeen ? report.CapturedAt ?? FirstSeen : FirstSeen;
        LastSeen = LastSeen is null || report.CapturedAt > LastSeen ? report.CapturedAt ?? LastSeen : LastSeen;
        foreach (string runtime in report.Runtimes)
        {
            Remember(_versions, runtime);
        }

        Remember(_processes, report.Process);
        if (Sureness(report) > Sureness(Representative))
        {
            Representative = report;
        }
    }

    private static int Sureness(ReportDigest report) => Array.IndexOf(s_surest, report.Confidence);

    private static void Remember(SortedSet<string> names, string? name)
    {
        if (name is { Length: > 0 } && names.Count < MostNames)
        {
            names.Add(name);
        }
    }
}
