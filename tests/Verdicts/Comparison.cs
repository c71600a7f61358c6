using HangTriage.Tests.Support.Verdicts;

namespace HangTriage.Verdicts;

/// <summary>The verdicts of two builds of the tool on the same dumps.</summary>
internal static class Comparison
{
    /// <returns>The exit code: 1 where any verdict differs.</returns>
    public static int Run(Store store, string before, string after, TextWriter output)
    {
        using Side was = new(before);
        using Side becomes = new(after);
        int different = 0;
        foreach (string dump in store.Dumps)
        {
            IReadOnlyList<string> differences = was.VerdictOn(dump).Differences(becomes.VerdictOn(dump));
            if (differences.Count > 0)
            {
                different++;
                output.WriteLine(string.Join("\n    ", [Path.GetFileName(dump), .. differences]));
            }
        }

        output.WriteLine($"{store.Dumps.Count} dumps, {different} with another verdict");
        return different > 0 ? 1 : 0;
    }

    /// <summary>A tool, or the reports that were saved of one.</summary>
    private sealed class Side(string path) : IDisposable
    {
        private readonly WarmTool? _tool = Directory.Exists(path) ? null : new WarmTool(path);

        public VerdictSummary VerdictOn(string dump)
            => _tool is not null ? VerdictSummary.Of(_tool.Analyze(dump, "json", SavedReports.Limit))
                : File.Exists(SavedReports.FileOf(path, dump)) ? VerdictSummary.Of(File.ReadAllText(SavedReports.FileOf(path, dump)))
                : VerdictSummary.Nothing;

        public void Dispose() => _tool?.Dispose();
    }
}
