using HangTriage.Facts;

namespace HangTriage.Cli.TestRuns;

/// <summary>What a test runner wrote down beside a dump.</summary>
/// <param name="Hung">The tests that had started and had not ended.</param>
/// <param name="IsTimeout">Its time limit was over: it says that the process hangs.</param>
internal sealed record TestRecord(IReadOnlyList<TestFacts> Hung, bool IsTimeout)
{
    private const string SequenceFiles = "Sequence_*.xml";
    private const string ListExtension = ".log";
    private const int MostSequences = 16;

    // VSTest: NAME_PID_TIME_hangdump.dmp. Microsoft.Testing.Platform: NAME_PID_hang.dmp.
    private static readonly string[] s_hangDumps = ["_hangdump", "_hang"];

    public static TestRecord None { get; } = new([], IsTimeout: false);

    /// <summary>The records of the run that a file of its results folder is of. Never fails: a record that makes no sense has no tests.</summary>
    /// <param name="dump">The file; it need not exist.</param>
    public static TestRecord Beside(string dump)
    {
        string name = Path.GetFileNameWithoutExtension(dump);
        return s_hangDumps.Any(ending => name.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
            ? new TestRecord([.. SequencesIn(Path.GetDirectoryName(Path.GetFullPath(dump))!), .. TestList.Read(Path.ChangeExtension(dump, ListExtension))], IsTimeout: true)
            : None;
    }

    /// <summary>The tests that the records of a folder itself say had not ended.</summary>
    public static IReadOnlyList<TestFacts> SequencesIn(string folder)
    {
        try
        {
            return [.. Directory.EnumerateFiles(folder, SequenceFiles).Take(MostSequences).Order(StringComparer.Ordinal).SelectMany(TestSequence.Read)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
