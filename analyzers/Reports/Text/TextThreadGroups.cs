using System.Globalization;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Text;

/// <summary>The threads by what they do, those of the verdict first: what is left to say where their CPU times are unknown.</summary>
internal sealed class TextThreadGroups(TriageResult result, TextLines lines, TextReportOptions options)
{
    public void Write()
    {
        IReadOnlyList<ThreadGroup> groups = ThreadGroup.Of(result);
        lines.Blank();
        lines.Line(string.Create(CultureInfo.InvariantCulture, $"Threads by what they do ({result.Threads.Count}; their CPU times are not in the input)"));
        foreach (ThreadGroup group in groups.Take(options.MaxThreads))
        {
            string count = string.Create(CultureInfo.InvariantCulture, $"{group.Threads.Count,6}  ");
            Claim place = group.Where is { } where ? $", in {where}" : Claim.Empty;
            lines.Wrapped(count, $"{group.Who}: {group.Does}{place}", hanging: 2);
        }

        if (groups.Count > options.MaxThreads)
        {
            lines.Line(string.Create(CultureInfo.InvariantCulture, $"        and {groups.Skip(options.MaxThreads).Sum(group => group.Threads.Count)} more"));
        }
    }
}
