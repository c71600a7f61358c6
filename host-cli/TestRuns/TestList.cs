using HangTriage.Capture;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Cli.TestRuns;

/// <summary>
/// Reads the list of running tests that Microsoft.Testing.Platform writes beside a dump of its time limit: a line for each, "[TIME] NAME",
/// which of MSTest is the method alone.
/// </summary>
internal static class TestList
{
    private const int MostLines = 1_000;
    private const long LongestFile = 4 * 1024 * 1024;

    /// <summary>None where there is no such file.</summary>
    public static IReadOnlyList<TestFacts> Read(string file)
    {
        try
        {
            using FileStream stream = PlainFile.OpenStream(file);
            using StreamReader lines = new(stream);
            return stream.Length <= LongestFile ? [.. Lines(lines).Take(MostLines).Select(Test).OfType<TestFacts>()] : [];
        }
        catch (Exception e) when (e is TargetOpenException or IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static IEnumerable<string> Lines(StreamReader text)
    {
        while (text.ReadLine() is { } line)
        {
            yield return line;
        }
    }

    private static TestFacts? Test(string line)
        => line.StartsWith('[') && line.IndexOf(']', StringComparison.Ordinal) is > 0 and int end && TestName.Of(line[(end + 1)..]) is { Length: > 0 } name ? new TestFacts(name) : null;
}
