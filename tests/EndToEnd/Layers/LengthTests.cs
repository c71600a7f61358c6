namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>An alarm at a file above 400 lines and at a method above 60 (decision 38).</summary>
public sealed class LengthTests
{
    private const int MostLinesOfFile = 400;
    private const int MostLinesOfMethod = 60;

    /// <summary>Methods that are tables of words, one line for each member of an enumeration: nothing in them could be a method of its own.</summary>
    private static readonly string[] s_tables = ["ReasonText.cs", "PatternText.cs"];

    public static TheoryData<string> Projects => [.. Project.All.Select(project => project.Folder)];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Methods_are_short(string folder)
    {
        Project project = Project.All.Single(project => project.Folder == folder);

        IReadOnlyList<string> longOnes = MethodLengths.Above(project.AssemblyPath, project.SourcePath, MostLinesOfMethod);

        Assert.All(longOnes, method => Assert.Contains(method.Split(':')[0], s_tables));
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void Files_are_short(string folder)
    {
        string source = Project.All.Single(project => project.Folder == folder).SourcePath;
        string[] files = Directory.GetFiles(source, "*.cs", SearchOption.AllDirectories);

        Assert.NotEmpty(files);
        Assert.DoesNotContain(files, file => File.ReadLines(file).Count() > MostLinesOfFile);
    }

    [Fact]
    public void A_method_of_more_lines_is_seen()
    {
        Project rules = Project.All.Single(project => project.Folder == "analyzers/Rules");

        Assert.Contains(
            MethodLengths.Above(rules.AssemblyPath, rules.SourcePath, MostLinesOfMethod),
            method => method.StartsWith("ReasonText.cs:", StringComparison.Ordinal));
    }
}
