using HangTriage.Tests.Support;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>A line has at most 140 columns (decision 38). No folder gets more wider lines than it had when that became the rule.</summary>
public sealed class LineWidthTests
{
    private const int Widest = 140;

    /// <summary>How many wider lines are left. A number here only falls.</summary>
    private static readonly Dictionary<string, int> s_left = new(StringComparer.Ordinal)
    {
        ["analyzers/Capture"] = 641,
        ["analyzers/Facts"] = 128,
        ["analyzers/Reports"] = 188,
        ["analyzers/Rules"] = 657,
        ["analyzers/Traces"] = 130,
        ["extension/DbgEng"] = 21,
        ["extension/DotnetDump"] = 11,
        ["host-cli"] = 109,
        ["samples"] = 11,
        ["tests/Benchmarks"] = 28,
        ["tests/Capture"] = 188,
        ["tests/DotnetDump"] = 31,
        ["tests/EndToEnd"] = 151,
        ["tests/Fuzz"] = 10,
        ["tests/Lab"] = 52,
        ["tests/Matrix"] = 27,
        ["tests/Prepare"] = 2,
        ["tests/Support"] = 142,
        ["tests/Targets"] = 11,
        ["tests/Truth"] = 52,
        ["tests/Unit"] = 650,
        ["tests/Verdicts"] = 9,
    };

    [Fact]
    public void No_folder_has_more_wide_lines_than_are_left_of_before()
    {
        (string File, int Wide)[] files =
        [
            .. from top in new[] { "analyzers", "extension", "host-cli", "samples", "tests" }
               from file in Directory.GetFiles(Path.Combine(Repository.Root, top), "*.cs", SearchOption.AllDirectories)
               let wide = File.ReadLines(file).Count(line => line.Length > Widest)
               select (Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'), wide),
        ];

        Assert.NotEmpty(files);
        Assert.Empty(
            from folder in files.GroupBy(file => FolderOf(file.File), StringComparer.Ordinal)
            let wide = folder.Sum(file => file.Wide)
            let left = s_left.GetValueOrDefault(folder.Key)
            where wide > left
            select $"{folder.Key} has {wide} lines of more than {Widest} columns and may have {left}");
    }

    private static string FolderOf(string file)
    {
        string[] parts = file.Split('/');
        return parts[0] is "host-cli" or "samples" ? parts[0] : $"{parts[0]}/{parts[1]}";
    }
}
