using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Who waits without end for the lock of a database in which the process itself has left a transaction open is stuck.</summary>
public sealed class LeftTransactionTests
{
    private const string Call = "Microsoft.Data.Sqlite.SqliteDataReader.NextResult";

    private static readonly FlowWait s_delay = new() { Kind = FlowWaitKind.Delay, EndsByTimer = true };

    [Fact]
    public void A_thread_that_nobody_waits_for_is_stuck_too()
    {
        Verdict verdict = Judge(Waiting(isLeftOpen: true, Timeout.InfiniteTimeSpan));

        Assert.Equal(VerdictKind.BlockedOnExternal, verdict.Kind);
        Assert.Contains("left a transaction open", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false, -1)]
    [InlineData(true, 30)]
    public void Without_such_a_transaction_or_with_a_limit_it_is_none_to_worry_about(bool isLeftOpen, int seconds)
        => Assert.Equal(
            VerdictKind.NotHung, Judge(Waiting(isLeftOpen, seconds < 0 ? Timeout.InfiniteTimeSpan : TimeSpan.FromSeconds(seconds))).Kind);

    [Theory]
    [InlineData(true, VerdictKind.BlockedOnExternal)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void A_crowd_of_requests_that_waits_for_such_a_transaction_is_no_busy_service(bool isLeftOpen, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main");
        for (uint worker = 2; worker < 2 + Thresholds.Crowd; worker++)
        {
            builder = builder
                .Thread(
                    worker, "System.Threading.Thread.Sleep", Call, "Microsoft.Data.Sqlite.SqliteCommand.ExecuteReader", "Shop.Drafts.Start",
                    "System.Threading.ThreadPoolWorkQueue.Dispatch")
                .Outside(new OutsideWaitFacts
                {
                    Thread = new ThreadId(worker),
                    Call = Call,
                    Limit = Timeout.InfiniteTimeSpan,
                    IsLeftOpen = isLeftOpen,
                    Source = $"stack root of {Call}",
                });
        }

        Assert.Equal(expected, Judge(builder).Kind);
    }

    // An async method has the transaction between two steps.
    [Fact]
    public void An_async_method_that_continues_may_give_it_back()
        => Assert.Equal(
            VerdictKind.NotHung,
            Judge(Waiting(isLeftOpen: true, Timeout.InfiniteTimeSpan).Flow("Shop.Imports.MonthAsync", s_delay)).Kind);

    // It works with the transaction through objects that its stack does not show.
    [Fact]
    public void A_thread_that_works_may_give_it_back()
        => Assert.Equal(
            VerdictKind.NotHung,
            Judge(Waiting(isLeftOpen: true, Timeout.InfiniteTimeSpan).Thread(3, "System.Threading.Thread.Sleep", "Shop.Imports.Month")).Kind);

    private static SnapshotBuilder Waiting(bool isLeftOpen, TimeSpan limit) => SnapshotBuilder.Linux()
        .Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main")
        .Thread(2, "System.Threading.Thread.Sleep", Call, "Microsoft.Data.Sqlite.SqliteCommand.ExecuteReader", "Shop.Accruals.Run")
        .Outside(new OutsideWaitFacts
        {
            Thread = new ThreadId(2), Call = Call, Limit = limit, IsLeftOpen = isLeftOpen, Source = $"stack root of {Call}",
        });

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
