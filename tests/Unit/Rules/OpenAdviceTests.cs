using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Advice asks for nothing that was done.</summary>
public sealed class OpenAdviceTests
{
    [Theory]
    [InlineData(1, true)]
    [InlineData(3, true)]
    [InlineData(5, false)]
    public void After_five_looks_five_looks_are_not_asked_for(int looks, bool isAsked)
        => Assert.Equal(isAsked, OpenAdvice.LookAgain(Looks(looks, TargetKind.LiveProcess))?.Contains("--samples 5",
            StringComparison.Ordinal) == true);

    [Theory]
    [InlineData(5, true)]
    [InlineData(7, false)]
    public void Looks_in_which_threads_ran_on_do_not_count(int looks, bool isAsked)
    {
        Case all = Looks(looks, TargetKind.LiveProcess);
        Gap torn = new("threads", "2 threads did not stop in time") { IsLoss = true, IsPassing = true };
        Case @case = Case.Of([.. all.Samples.Select((sample, index) => index is 1 or 2 ? sample with { Gaps = [torn] } : sample)]);

        Assert.Equal(isAsked, OpenAdvice.LookAgain(@case) is not null);
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(2, false)]
    public void After_an_earlier_core_no_second_one_is_asked_for(int looks, bool isAsked)
        => Assert.Equal(isAsked, OpenAdvice.LookAgain(Looks(looks, TargetKind.ElfCore))?.Contains("--earlier",
            StringComparison.Ordinal) == true);

    [Fact]
    public void Of_another_process_one_is_asked_for()
    {
        Case @case =
            Case.Of([SnapshotBuilder.Linux().Pid(1).Thread(1, "App.Main").Earlier(TimeSpan.FromSeconds(5))
                .Build(), SnapshotBuilder.Linux().Pid(2).Thread(1, "App.Main").Build()]);

        Assert.Empty(@case.Earlier);
        Assert.Contains("--earlier", OpenAdvice.LookAgain(@case), StringComparison.Ordinal);
    }

    private static Case Looks(int count, TargetKind kind)
        => Case.Of([.. Enumerable.Range(1, count).Select(index =>
        {
            ProcessSnapshot snapshot = SnapshotBuilder.Linux().Earlier(TimeSpan.FromSeconds(count - index)).Thread(1, "App.Main").Build();
            return snapshot with { Target = snapshot.Target with { Kind = kind } };
        })]);
}
