using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A wait that only a method could end which has failed is a hang, and both the method and its exception are named.</summary>
public sealed class FailedGiverTests
{
    [Fact]
    public void The_method_and_its_exception_are_named()
    {
        Verdict verdict = Triage.Judge(MoverCases.AskingFailed().Build()).Verdict;

        Assert.Equal((VerdictKind.NeverCompleted, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains("Desk.ServeAsync", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains("FormatException", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Advice, advice => advice.Text.Contains("Desk.ServeAsync", StringComparison.Ordinal));
    }
}
