using System.Xml;
using HangTriage.Capture;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Cli.TestRuns;

/// <summary>
/// Reads the list of tests that the blame collector of VSTest writes (Sequence_*.xml): TestSequence has a Test for each that started, in
/// that order, with Name (type and method) and Completed. Older versions wrote it without Completed, the last being the one that hung.
/// </summary>
internal static class TestSequence
{
    private const string Element = "Test";
    private const int MostTests = 1_000_000;
    private const int MostHung = 1_000;
    private const long MostCharacters = 512L * 1024 * 1024;
    private const int LongestName = 1_024;

    /// <summary>Those that had not completed; as far as the file makes sense, and none where it cannot be read.</summary>
    public static IReadOnlyList<TestFacts> Read(string file)
    {
        List<TestFacts> hung = [];
        TestFacts? last = null;
        bool isMarked = false;
        try
        {
            using FileStream stream = PlainFile.OpenStream(file);
            XmlReaderSettings settings = new() { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, MaxCharactersInDocument = MostCharacters };
            using XmlReader reader = XmlReader.Create(stream, settings);
            for (int i = 0; i < MostTests && hung.Count < MostHung && reader.ReadToFollowing(Element); i++)
            {
                last = NameOf(reader) is { Length: > 0 } name ? new TestFacts(name) : null;
                string? completed = reader.GetAttribute("Completed");
                isMarked |= completed is not null;
                if (last is not null && bool.TryParse(completed, out bool isCompleted) && !isCompleted)
                {
                    hung.Add(last);
                }
            }
        }
        catch (Exception e) when (e is XmlException or TargetOpenException or IOException or UnauthorizedAccessException)
        {
            // What was read until then is true all the same.
        }

        return !isMarked && last is not null ? [last] : hung;
    }

    private static string NameOf(XmlReader reader)
    {
        string name = reader.GetAttribute("Name") ?? reader.GetAttribute("DisplayName") ?? string.Empty;
        return TestName.Of(name.Length > LongestName ? name[..LongestName] : name);
    }
}
