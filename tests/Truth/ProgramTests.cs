using HangTriage.Tests.Support;
using HangTriage.Tests.Truth.Judging;

namespace HangTriage.Tests.Truth;

/// <summary>Some of the programs, judged in every run; a run of all counts what is wrong and stops at none.</summary>
public sealed class ProgramTests(ITestOutputHelper output)
{
    // A core is an instant, and of some the tool rightly says that it does not know; a verdict that is wrong is wrong at once.
    private const int Instants = 3;

    public static TheoryData<string> OfEveryRun { get; } = [.. ExpectedProgram.All.Where(program => program.InEveryRun).Select(program => program.Id)];

    [Theory]
    [MemberData(nameof(OfEveryRun))]
    public async Task A_program_is_judged_as_an_expert_would(string id)
    {
        Cores.Require();
        ExpectedProgram program = ExpectedProgram.All.Single(program => program.Id == id);
        Judgement judgement = await Runs.JudgeAsync(program).WaitAsync(TestContext.Current.CancellationToken);
        for (int instant = 1; judgement.Outcome == Outcome.Unsure && instant < Instants; instant++)
        {
            judgement = await Runs.JudgeAgainAsync(program).WaitAsync(TestContext.Current.CancellationToken);
        }

        Assert.True(judgement.IsRight, judgement.ToString());
    }

    /// <summary>Prints the table, also to artifacts/truth.txt, which test.sh shows.</summary>
    [Fact]
    public async Task Every_program_that_is_asked_for_has_a_judgement()
    {
        Cores.Require();
        await TellAsync(isOptimised: false, "truth.txt");
    }

    /// <summary>As production code is: of a call that waits any frame can be missing. To artifacts/truth-optimised.txt.</summary>
    [Fact]
    [Trait("Tier", "all")]
    public async Task Every_program_has_a_judgement_as_optimised_code()
    {
        Cores.Require();
        await TellAsync(isOptimised: true, "truth-optimised.txt");
    }

    private async Task TellAsync(bool isOptimised, string file)
    {
        CancellationToken cancellation = TestContext.Current.CancellationToken;
        Judgement[] judgements =
            await Task.WhenAll(Runs.Chosen.Select(program => Runs.JudgeAsync(program, isOptimised))).WaitAsync(cancellation);
        string table = TruthTable.Of(judgements);
        output.WriteLine(table);
        await File.WriteAllTextAsync(Path.Combine(Repository.Artifacts, file), table, cancellation);
        await using (StreamWriter console = new(Console.OpenStandardOutput()))
        {
            await console.WriteLineAsync(table);
        }

        Assert.DoesNotContain(judgements, judgement => judgement.Outcome == Outcome.Failed);
    }
}
