using HangTriage.Reports.Incident;
using HangTriage.Rules;

namespace HangTriage.Reports.Markdown;

/// <summary>The incident report as Markdown for a ticket. Nothing that the target says can become markup; lines end in LF.</summary>
public static class MarkdownReport
{
    public static void Write(TriageResult result, TextWriter output, IncidentOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(output);
        options ??= IncidentOptions.Default;
        new IncidentReport(result, new MarkdownPage(output, options.MaxCharacters), options).Write();
    }
}
