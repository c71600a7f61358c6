using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A thread waits for the task of an async method, which waits for what somebody surely gives, or for what nobody is known to.</summary>
public sealed class GivenFlowTests
{
    private const uint Fax = 7;
    private const ulong Box = 0x7f1000005000;
    private const ulong Turn = 0x7f1000006000;

    [Theory]
    [InlineData(true, false, VerdictKind.NotHung)]
    [InlineData(false, false, VerdictKind.NeverCompleted)]
    [InlineData(true, true, VerdictKind.NeverCompleted)]
    public void Who_waits_for_it_is_served_as_it_is(bool isGiven, bool isSaidToHang, VerdictKind expected)
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(
                Fax, "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Threading.Tasks.Task.InternalWaitCore", "Shop.Desk.Run")
            .Task(Box, TaskKind.AsyncMethod, "Shop.Seats.TakeAsync")
            .Task(Turn, TaskKind.Semaphore)
            .Needs(Box, TaskNeedKind.Task, Turn)
            .Needs(Turn, TaskNeedKind.Unknown)
            .WaitsForTask(Fax, Box)
            .Flow(SnapshotBuilder.Once("Shop.Seats.TakeAsync", ForSeat(isGiven), "Shop.Desk.RenderAsync", Box))
            .Build();

        Assert.Equal(expected, Triage.Judge(Case.Of(snapshot) with { IsSaidToHang = isSaidToHang }).Verdict.Kind);
    }

    private static FlowWait ForSeat(bool isGiven) => new()
    {
        Kind = FlowWaitKind.Semaphore,
        Address = new Address(0x7f1000007000),
        Label = "Seats._free",
        Entries = new SemaphoreEntries(0, 2),
        Objects = 1,
        Reach = new WaitReach
        {
            By = FlowRoot.Timer,
            Signaller = isGiven ? new ReachSignaller { Kind = FlowRoot.Timer } : null,
            Holders = [],
        },
    };
}
