using HangTriage.Facts;

namespace HangTriage.Cli.TestRuns;

/// <summary>A folder as an input: the captures in it and in what is below it, such as a test run leaves.</summary>
/// <param name="Captures">Dumps, cores and captured facts, folder by folder.</param>
/// <param name="HungTests">The tests that the runner's records say had not ended.</param>
internal sealed record ResultsFolder(IReadOnlyList<string> Captures, IReadOnlyList<TestFacts> HungTests)
{
    private const int MostCaptures = 1_000;
    private const int MostFolders = 10_000;
    private const int Depth = 16;

    private static readonly string[] s_endings = [".dmp", ".mdmp", ".core", ".facts.json"];
    private static readonly string[] s_packings = [".gz", ".zst", ".xz", ".lz4"];

    /// <exception cref="InputException">The folder cannot be read, or has nothing to judge.</exception>
    public static ResultsFolder Read(string folder)
    {
        EnumerationOptions all = new() { RecurseSubdirectories = true, MaxRecursionDepth = Depth, IgnoreInaccessible = true, AttributesToSkip = FileAttributes.ReparsePoint };
        try
        {
            string[] captures = [.. Directory.EnumerateFiles(folder, "*", all).Where(IsCapture).Take(MostCaptures).Order(StringComparer.Ordinal)];
            IEnumerable<string> folders = Directory.EnumerateDirectories(folder, "*", all).Take(MostFolders).Order(StringComparer.Ordinal).Prepend(folder);
            TestFacts[] hung = [.. folders.SelectMany(TestRecord.SequencesIn).Concat(captures.SelectMany(capture => TestRecord.Beside(capture).Hung)).DistinctBy(test => test.Name)];
            return captures.Length > 0 ? new ResultsFolder(captures, hung) : throw new InputException(folder, new InvalidDataException(WhyNothing(hung)));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new InputException(folder, e);
        }
    }

    private static bool IsCapture(string file)
    {
        string? packing = s_packings.FirstOrDefault(ending => file.EndsWith(ending, StringComparison.OrdinalIgnoreCase));
        string name = Path.GetFileName(packing is null ? file : file[..^packing.Length]);
        return s_endings.Any(ending => name.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
            || IsCoreOf(name)
            || (packing is not null && IsOfSystemd(name));
    }

    // core.NAME.USER.BOOT.PID.TIME, packed.
    private static bool IsOfSystemd(string name) => name.StartsWith("core.", StringComparison.Ordinal) && name.Split('.').Length >= 6;

    // core.1234, as the kernel and gcore name it.
    private static bool IsCoreOf(string name) => name.StartsWith("core.", StringComparison.Ordinal) && name.Length > 5 && name.AsSpan(5).IndexOfAnyExceptInRange('0', '9') < 0;

    private static string WhyNothing(IReadOnlyList<TestFacts> hung)
        => hung.Count == 0 ? "there is no dump, core or .facts.json file in this folder"
            : $"there is no dump in this folder; its records say that {(hung.Count == 1 ? "a test" : $"{hung.Count} tests")} had not ended: {string.Join(", ", hung.Take(10))}";
}
