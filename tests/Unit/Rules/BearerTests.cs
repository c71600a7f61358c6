using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A promise is in the hands of one who waits himself: that one keeps it from being kept.</summary>
public sealed class BearerTests
{
    private const ulong Asked = 0x7f1000000000;
    private const ulong Clerk = 0x7f1000001000;
    private const ulong Dialog = 0x7f1000002000;

    private static readonly FlowWait s_lock = new() { Kind = FlowWaitKind.Custom, Address = new Address(0x7a10), Type = "Locks.Awaiter" };
    private static readonly ReachHolder s_clerk = new() { Flow = new Address(Clerk), Method = "Shop.Clerk.StampAsync", Await = 0 };

    [Fact]
    public void The_wait_of_who_has_it_in_hand_is_told_and_that_one_is_the_culprit()
    {
        Verdict verdict = Triage.Judge(MoverCases.Asking()
            .Flow("Shop.Clerk.StampAsync", s_lock)
            .FlowInHandsOf(Asked, s_clerk).Build()).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Contains("who has that in hand waits, too: Clerk.StampAsync", verdict.Title.Text, StringComparison.Ordinal);
        Assert.StartsWith("async method Clerk.StampAsync", verdict.Culprit?.Label.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_thread_that_has_it_in_hand_is_told_with_its_place()
    {
        Verdict verdict = Triage.Judge(MoverCases.Asking()
            .Thread(7, "System.Threading.WaitHandle.WaitOneNoCheck", "Shop.Desk.Await", "Shop.Desk.Serve")
            .FlowInHandsOf(Asked, new ReachHolder { Thread = new ThreadId(7) }).Build()).Verdict;

        Assert.Equal(new ThreadId(7), verdict.Culprit?.Thread);
        Assert.Contains("waits in Desk.Await", verdict.Title.Text, StringComparison.Ordinal);
    }

    // A dialog closes itself, and gives the next one its turn. That the process is said to hang leaves no time for it.
    [Theory]
    [InlineData(true, false, VerdictKind.NotHung)]
    [InlineData(false, false, VerdictKind.Inconclusive)]
    [InlineData(true, true, VerdictKind.NeverCompleted)]
    public void Who_has_it_in_hand_and_waits_for_a_time_gives_it_then(bool isLimited, bool isSaidToHang, VerdictKind expected)
    {
        FlowWait dialog = new()
        {
            Kind = FlowWaitKind.Task, Address = new Address(0x7a20), EndsByTimer = isLimited, SetFor = TimeSpan.FromMinutes(5),
        };
        ProcessSnapshot kiosk = MoverCases.Asking()
            .Flow("Shop.Clerk.StampAsync", s_lock)
            .Flow("Shop.Dialog.ShowAsync", dialog)
            .FlowInHandsOf(Asked, s_clerk)
            .FlowInHandsOf(Clerk, new ReachHolder { Flow = new Address(Dialog), Method = "Shop.Dialog.ShowAsync", Await = 0 }).Build();

        Assert.Equal(expected, Triage.Judge(Case.Of(kiosk) with { IsSaidToHang = isSaidToHang }).Verdict.Kind);
    }

    // Each has what the other waits for.
    [Fact]
    public void A_circle_of_such_is_gone_round_once()
        => Assert.NotNull(Triage.Judge(MoverCases.Asking()
            .Flow("Shop.Clerk.StampAsync", s_lock with { Kind = FlowWaitKind.Task })
            .FlowInHandsOf(Asked, s_clerk)
            .FlowInHandsOf(Clerk, new ReachHolder { Flow = new Address(Asked) }).Build()).Verdict.Culprit);
}
