using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A thread waits, under a lock, for a database in which another thread of the process has a transaction open.</summary>
public sealed class TransactionCycleTests
{
    private const string Call = "Microsoft.Data.Sqlite.SqliteDataReader.NextResult";
    private const uint Cashier = 0x11;
    private const uint Booker = 0x12;

    private static readonly LockId s_totals = new(LockKind.Monitor, new Address(0x5000));

    [Fact]
    public void Who_has_the_transaction_and_wants_the_lock_closes_a_circle()
    {
        Verdict verdict = Judge(Counting().Thread(Booker, "System.Threading.Monitor.Enter", "Shop.Desk.Book").Waits(Booker, s_totals));

        Assert.Equal((VerdictKind.Deadlock, "HT1001"), (verdict.Kind, verdict.Rule?.Id));
    }

    // It sleeps in its transaction, and goes on.
    [Fact]
    public void Who_has_the_transaction_and_goes_on_gives_it_back()
        => Assert.Equal(VerdictKind.NotHung, Judge(Counting().Thread(Booker, "System.Threading.Thread.Sleep", "Shop.Desk.Book")).Kind);

    // It waits for the database itself: another one has it.
    [Fact]
    public void Who_waits_for_the_same_database_does_not_have_it()
        => Assert.NotEqual(VerdictKind.NotHung, Judge(Counting()
            .Thread(Booker, "System.Threading.Thread.Sleep", Call, "Shop.Desk.Book")
            .Outside(Waiting(Booker))).Kind);

    private static SnapshotBuilder Counting() => SnapshotBuilder.Linux()
        .Thread(Cashier, "System.Threading.Thread.Sleep", Call, "Shop.Desk.Count")
        .Thread(0x13, "System.Threading.Monitor.Enter", "Shop.Desk.Show")
        .Waits(0x13, s_totals)
        .Lock(s_totals, Cashier)
        .Outside(Waiting(Cashier) with { Holder = new ThreadId(Booker) });

    private static OutsideWaitFacts Waiting(uint thread) => new()
    {
        Thread = new ThreadId(thread), Call = Call, Limit = Timeout.InfiniteTimeSpan, Source = $"stack root of {Call}",
    };

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
