using System.Globalization;

namespace HangTriage.Benchmarks;

/// <summary>What the command line asks for.</summary>
/// <param name="Scenarios">Names, in the order to run them.</param>
/// <param name="Pairs">How often each of the two programs runs, after a warm-up of both.</param>
/// <param name="Before">An older tool, published in this folder, which is the peer then; null for the usual peers.</param>
/// <param name="Clean">Delete the dumps, and run nothing.</param>
internal sealed record Options(IReadOnlyList<string> Scenarios, int Pairs, string? Before, bool Clean)
{
    private const int DefaultPairs = 7;
    private const int FewestPairs = 5;
    private const int UsageCode = 64;

    /// <summary>Null where the arguments make no sense.</summary>
    public static Options? Parse(IReadOnlyList<string> arguments)
    {
        List<string> scenarios = [];
        int pairs = DefaultPairs;
        string? before = null;
        for (int i = 0; i < arguments.Count; i++)
        {
            if (arguments[i] is "clean" or "--clean" && arguments.Count == 1)
            {
                return new Options([], 0, Before: null, Clean: true);
            }

            if (arguments[i] == "--pairs" && i + 1 < arguments.Count
                && int.TryParse(arguments[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out pairs) && pairs >= FewestPairs)
            {
                i++;
            }
            else if (arguments[i] == "--before" && i + 1 < arguments.Count && File.Exists(PublishedTool.ProgramIn(arguments[i + 1])))
            {
                before = Path.GetFullPath(arguments[++i]);
            }
            else if (Benchmarks.Names.Contains(arguments[i]))
            {
                scenarios.Add(arguments[i]);
            }
            else
            {
                return null;
            }
        }

        return new Options(scenarios.Count > 0 ? scenarios : Benchmarks.Names, pairs, before, Clean: false);
    }

    public static int Usage(TextWriter error)
    {
        error.WriteLine($"usage: [--pairs N] [--before FOLDER] [{string.Join("] [", Benchmarks.Names)}]");
        error.WriteLine($"       all, unless some are named; N is {FewestPairs} or more; FOLDER has an older tool as it was published, which is the peer then");
        error.WriteLine("       clean   deletes the dumps and what was built");
        return UsageCode;
    }
}
