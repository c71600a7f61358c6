using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Verdicts;

namespace HangTriage.Verdicts;

/// <summary>The reports of one build of the tool on every dump of a store.</summary>
internal static class SavedReports
{
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    public static int Save(Store store, string program, string folder, TextWriter output)
    {
        using WarmTool tool = new(program);
        Directory.CreateDirectory(folder);
        foreach (string dump in store.Dumps)
        {
            ToolRun run = tool.Analyze(dump, "json", Limit);
            File.WriteAllText(FileOf(folder, dump), run.Out.Length > 0 ? run.Out : run.ToString());
            File.WriteAllText(Path.Combine(folder, Path.GetFileName(dump) + ".txt"), tool.Analyze(dump, "text", Limit).ToString());
            output.WriteLine($"{Path.GetFileName(dump)}\t{VerdictSummary.Of(run)}\texit {run.ExitCode}");
        }

        return 0;
    }

    /// <summary>Where the report on a dump lies.</summary>
    public static string FileOf(string folder, string dump) => Path.Combine(folder, Path.GetFileName(dump) + ".json");
}
