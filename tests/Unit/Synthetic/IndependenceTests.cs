using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.Synthetic;

public sealed class IndependenceTests
{
    /// <summary>The writer has to disagree with the reader where either is wrong, so it knows nothing of the product.</summary>
    [Fact]
    public void The_writer_uses_only_the_framework()
    {
        string[] files = Directory.GetFiles(Path.Combine(Repository.Root, "tests", "Support", "Synthetic"), "*.cs", SearchOption.AllDirectories);

        Assert.NotEmpty(files);
        Assert.All(
            files.SelectMany(File.ReadLines).Where(line => line.StartsWith("using ", StringComparison.Ordinal)),
            line => Assert.StartsWith("using System", line, StringComparison.Ordinal));
        Assert.DoesNotContain(files, file => File.ReadAllText(file).Contains("HangTriage.Facts", StringComparison.Ordinal));
    }
}
