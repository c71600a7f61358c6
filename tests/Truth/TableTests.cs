using System.Text.RegularExpressions;
using HangTriage.Tests.Truth.Judging;

namespace HangTriage.Tests.Truth;

public sealed partial class TableTests
{
    private const int Hung = 71;
    private const int Healthy = 57;
    private const int OfEveryRun = 49;

    [Fact]
    public void Half_of_them_hang_and_some_of_both_are_in_every_run()
    {
        Assert.Equal(Hung, ExpectedProgram.All.Count(program => program.IsHung));
        Assert.Equal(Healthy, ExpectedProgram.All.Count(program => !program.IsHung));
        ExpectedProgram[] ofEveryRun = [.. ExpectedProgram.All.Where(program => program.InEveryRun)];
        Assert.Equal(OfEveryRun, ofEveryRun.Length);
        Assert.Contains(ofEveryRun, program => program.IsHung);
        Assert.Contains(ofEveryRun, program => !program.IsHung);
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
