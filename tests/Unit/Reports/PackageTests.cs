using System.Xml.Linq;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>The package of the tool has what a page of packages shows.</summary>
public sealed class PackageTests
{
    [Theory]
    [InlineData("Description")]
    [InlineData("Authors")]
    [InlineData("PackageTags")]
    [InlineData("PackageLicenseExpression")]
    [InlineData("PackageReadmeFile")]
    [InlineData("RepositoryType")]
    public void The_package_of_the_tool_says_what_it_is(string property)
    {
        XDocument project = XDocument.Load(Path.Combine(Repository.Root, "host-cli", "triage.csproj"));

        Assert.NotEqual(string.Empty, Assert.Single(project.Descendants(property)).Value.Trim());
        XElement readme = project.Descendants("None").Single(item => (string?)item.Attribute("PackagePath") == "README.md");
        Assert.True(File.Exists(Path.Combine(Repository.Root, "host-cli", readme.Attribute("Include")!.Value)));
    }
}
