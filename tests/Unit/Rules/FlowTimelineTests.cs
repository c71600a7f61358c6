using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Two looks at the async methods of a process: those that have gone on between them are not stuck.</summary>
public sealed class FlowTimelineTests
{
    private const string Mark = "5aa0";
    private static readonly FlowMember s_first = new(new Address(0xb000), new Address(0x7a00));
    private static readonly FlowMember s_next = new(new Address(0xb800), new Address(0x7b00));

    [Fact]
    public void Another_call_of_the_same_method_waits_now()
        => Expect(VerdictKind.NotHung, At(Mark, FlowWaitKind.Task, s_first), At(Mark, FlowWaitKind.Task, s_next));

    [Fact]
    public void The_same_call_waits_for_another_promise_now()
        => Expect(
            VerdictKind.NotHung,
            At(Mark, FlowWaitKind.Task, s_first), At(Mark, FlowWaitKind.Task, s_first with { Awaits = new Address(0x7b00) }));

    [Fact]
    public void The_same_call_waits_for_the_same_promise()
        => Expect(VerdictKind.Inconclusive, At(Mark, FlowWaitKind.Task, s_first), At(Mark, FlowWaitKind.Task, s_first));

    // Others come and go, one stays.
    [Fact]
    public void One_of_several_waits_still()
        => Expect(VerdictKind.Inconclusive, At(Mark, FlowWaitKind.Task, s_first), At(Mark, FlowWaitKind.Task, s_first, s_next));

    // It sleeps between two tries, each time anew.
    [Fact]
    public void Who_waits_for_a_time_may_try_the_same_again()
        => Expect(
            VerdictKind.Inconclusive,
            At(Mark, FlowWaitKind.Delay, s_first), At(Mark, FlowWaitKind.Delay, s_first with { Awaits = new Address(0x7b00) }));

    // A collection has moved what is the same.
    [Theory]
    [InlineData("5aa1")]
    [InlineData(null)]
    public void Addresses_tell_nothing_where_objects_may_have_moved(string? mark)
        => Expect(VerdictKind.Inconclusive, At(Mark, FlowWaitKind.Task, s_first), At(mark, FlowWaitKind.Task, s_next));

    [Fact]
    public void Nothing_is_known_where_not_all_were_written_down()
        => Expect(VerdictKind.Inconclusive, At(Mark, FlowWaitKind.Task), At(Mark, FlowWaitKind.Task, s_next));

    private static void Expect(VerdictKind expected, SnapshotBuilder then, SnapshotBuilder now)
        => Assert.Equal(expected, Triage.Judge(Case.Of([then.Earlier(TimeSpan.FromSeconds(2)).Build(), now.Build()])).Verdict.Kind);

    private static SnapshotBuilder At(string? mark, FlowWaitKind kind, params FlowMember[] members)
        => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "App.Program.Main").Flows(Known.Derived(new FlowsFacts
        {
            Groups =
            [
                new FlowGroup
                {
                    Method = "App.Client.AskAsync",
                    Await = 0,
                    Count = Math.Max(1, members.Length),
                    State = FlowState.Suspended,
                    Waits = new FlowWait { Kind = kind, Address = members.Length > 0 ? members[0].Awaits : null },
                    AwaitedBy = kind == FlowWaitKind.Delay ? ["App.Program.Main"] : [],
                    TriesAgainAfter = kind == FlowWaitKind.Delay ? "System.Net.Sockets.SocketException" : null,
                    Root = FlowRoot.Static,
                    Sample = new Address(0xb000),
                    Members = members.Length > 0 ? members : null,
                },
            ],
            Suspended = Math.Max(1, members.Length),
            Omitted = 0,
            Unreachable = 0,
            Unreadable = 0,
            HeapMark = mark,
        }));
}
