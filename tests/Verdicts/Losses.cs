using HangTriage.Tests.Support.Losses;
using HangTriage.Tests.Support.Verdicts;

namespace HangTriage.Verdicts;

/// <summary>One dump without each of its parts, in each way.</summary>
internal static class Losses
{
    /// <returns>The exit code: 1 where any verdict is one that must not be.</returns>
    public static int Run(string dump, string program, string folder, TextWriter output, IReadOnlyCollection<string> only)
    {
        using WarmTool tool = new(program);
        using LossRun run = new(tool, dump, folder);
        output.WriteLine($"whole\t\t\t\t\t{run.Whole}");
        output.WriteLine("part\tbytes\tholds\tin the whole dump\tloss\tverdict\texit code\tseconds\tfaults");
        List<LossResult> results = [];
        foreach (DumpPart part in run.Parts.Where(part => only.Count == 0 || only.Contains(part.Name)))
        {
            foreach (Loss loss in part.Losses)
            {
                LossResult result = run.Judge(part, loss);
                results.Add(result);
                output.WriteLine(result.Line(run.Whole));
                output.Flush();
            }
        }

        Summarize(results, run.Whole, output);
        return results.Any(result => result.Faults(run.Whole).Count > 0) ? 1 : 0;
    }

    private static void Summarize(List<LossResult> results, VerdictSummary whole, TextWriter output)
    {
        output.WriteLine();
        output.WriteLine($"{results.Count} losses of {results.Select(result => result.Part).Distinct().Count()} parts; "
            + $"of {results.Where(result => result.IsRead == false).Select(result => result.Part).Distinct().Count()} parts no page is read in the whole dump");
        foreach (IGrouping<string, LossResult> verdict in results.GroupBy(result => result.Verdict == whole ? "the same" : $"{result.Verdict.Kind} {result.Verdict.Confidence} (exit {result.ExitCode})").OrderByDescending(group => group.Count()))
        {
            output.WriteLine($"{verdict.Count(),6}  {verdict.Key}");
        }

        foreach (IGrouping<string, LossResult> fault in results.SelectMany(result => result.Faults(whole).Select(fault => (fault, result))).GroupBy(pair => pair.fault, pair => pair.result))
        {
            output.WriteLine($"{fault.Count(),6}  {fault.Key}");
        }
    }
}
