using HangTriage.Reports.Incident;
using HangTriage.Rules;
using HangTriage.Rules.Policy;

namespace HangTriage.Reports.Html;

/// <summary>The incident report as one page for a browser: the same content as the Markdown, with links and a picture of its own.</summary>
public static class HtmlReport
{
    private const int MostCharacters = 4_000_000;
    private const int MostItems = 200;
    private const int MostStacks = 500;
    private const int MostFrames = 200;

    /// <summary>Nobody pastes a page: it may hold more than Markdown.</summary>
    public static IncidentOptions Default { get; } = IncidentOptions.Default with { MaxCharacters = MostCharacters, MaxItems = MostItems, MaxStacks = MostStacks, MaxFrames = MostFrames };

    public static void Write(TriageResult result, TextWriter output, IncidentOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(output);
        options ??= Default;
        new IncidentReport(result, new HtmlPage(output, options.MaxCharacters, isCalm: !result.Verdict.Kind.IsHang()), options).Write();
    }
}
