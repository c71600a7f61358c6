using HangTriage.Rules.Policy;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.Policy;

public sealed class PolicyPageTests
{
    [Fact]
    public void The_page_is_what_the_table_says()
        => Assert.Null(Golden.Difference("docs/policy.md", PolicyText.Of(VerdictPolicy.Standard)));

    [Fact]
    public void Every_pattern_sign_and_reason_of_the_table_has_words_and_a_last_row_without_conditions()
    {
        VerdictPolicy policy = VerdictPolicy.Standard;
        foreach (Pattern pattern in Enum.GetValues<Pattern>().Where(pattern => pattern != Pattern.None))
        {
            PolicyRow last = policy.Rows.Last(row => row.Patterns.HasFlag(pattern));

            Assert.Equal((LinkTrust.Guessed, null, null, Sign.None), (last.Links, last.Limit, last.Samples, last.Signs));
        }

        Assert.All(Enum.GetValues<Reason>(), reason => Assert.NotEmpty(ReasonText.Of(reason)));
    }

    [Fact]
    public void Only_an_inconclusive_verdict_has_no_confidence()
        => Assert.All(VerdictPolicy.Standard.Rows, row => Assert.Equal(row.Kind == VerdictKind.Inconclusive, row.Confidence is null));
}
