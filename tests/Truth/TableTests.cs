using System.Text.RegularExpressions;
using HangTriage.Tests.Truth.Judging;

namespace HangTriage.Tests.Truth;

public sealed partial class TableTests
{
    private const double Least = 0.4;

    [Fact]
    public void About_half_of_them_hang_and_of_those_of_every_run()
    {
        ExpectedProgram[] ofEveryRun = [.. ExpectedProgram.All.Where(program => program.InEveryRun)];
        Assert.NotEmpty(ofEveryRun);
        Assert.All(
            new[] { ExpectedProgram.All, ofEveryRun },
            programs => Assert.InRange(programs.Count(program => program.IsHung) / (double)programs.Count, Least, 1 - Least));
    }

    [Fact]
    public void Each_program_is_expected_once_and_each_hang_has_a_culprit()
    {
        string catalog = File.ReadAllText(Path.Combine(ExpectedProgram.Folder, "Programs", "Catalog.cs"));
        IEnumerable<string> programs = Name().Matches(catalog).Select(match => match.Groups[1].Value);
        Assert.Equal(programs.Order(StringComparer.Ordinal), ExpectedProgram.All.Select(program => program.Id).Order(StringComparer.Ordinal));
        Assert.All(ExpectedProgram.All, program => Assert.Equal(program.IsHung, program.Culprit.Count > 0));
    }

    [GeneratedRegex("""\["([a-z-]+)"\]""")]
    private static partial Regex Name();
}
