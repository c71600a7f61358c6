using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Processes that are judged by a trace without a capture.</summary>
internal static class TraceAloneCases
{
    private const uint Pid = 360;
    private const uint Other = 361;
    private const uint One = 0x10;
    private const uint Two = 0x20;

    private static readonly TimeSpan s_window = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan s_last = TimeSpan.FromSeconds(5);

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("trace alone, threads take their turns", Of(Turns(One), Turns(Two))),
            ("trace alone, an answer is awaited", Of(Answered("WrLpcReply"), Turns(Two))),
            ("trace alone, others behind an answer", Of(Answered("UserRequest"), Behind())),
            ("trace alone, an answer or a request", Of(Answered("UserRequest"), Turns(Two))),
            ("trace alone, small reads",
                Of(Turns(One) with { Times = Known.Derived(Times(s_window * 0.9)), Reads = new TraceIo(1_000_000, 8_000_000) })),
            ("trace alone, nobody runs but who yields", Of(Yields(One))),
            ("trace alone, a thread yields beside others", Of(Yields(One), Turns(Two))),
            ("trace alone, the partner of another process stopped",
                Of(Stopped(One, Two, Other), Turns(Two) with { Pid = Known.Read(Other) })),
            ("trace alone, the partner runs, who was readied", Of(Stopped(One, Two), Runs(Two, By(One)))),
            ("trace alone, the partner runs", Of(Stopped(One, Two), Runs(Two))),
            ("trace alone, the partner ended, who was readied", Of(Stopped(One, Two), Ended(Two, By(One)))),
            ("trace alone, the partner ended", Of(Stopped(One, Two), Ended(Two))),
            ("trace alone, a device is silent", Of(Stopped(One, null))),
            ("trace alone, both wait", Of(Stopped(One, Two), Stopped(Two, One))),
        ];

    private static Case Of(params TraceThread[] threads) => Case.OfTrace("slow.etl", SyntheticTraceFacts.Of(s_window, Pid, threads), Pid);

    private static TraceThread Turns(uint id)
        => Thread(id, TimeSpan.FromSeconds(2))
        with { LongestWait = Wait(TimeSpan.Zero, TimeSpan.FromMilliseconds(20), "UserRequest", by: null) };

    private static TraceThread Answered(string reason)
        => Thread(One, TimeSpan.FromSeconds(2))
            with { LongestWait = Wait(s_last, TimeSpan.FromSeconds(4), reason,
            new TraceReadiedBy(new ThreadId(Two + 1), Known.Read(Other), Known.Read("other.exe"), IsDeferred: false, NoStack)) };

    private static TraceThread Behind()
        => Thread(Two, TimeSpan.FromSeconds(2))
            with { LongestWait = Wait(s_last, TimeSpan.FromSeconds(4.1), "UserRequest",
            new TraceReadiedBy(new ThreadId(One), Known.Read(Pid), Known.Read("app.exe"), IsDeferred: false, NoStack)) };

    private static TraceThread Yields(uint id)
        => SyntheticTraceFacts.Thread(id, Pid, s_window, new TraceTimes(s_window * 0.95, s_window * 0.05, TimeSpan.Zero, 200_000)) with
        {
            WaitReasons = [new TraceWaitReason("WrYieldExecution", 200_000, s_window * 0.05, IsReady: true)],
        };

    private static TraceThread Stopped(uint id, uint? by, uint of = Pid)
        => Thread(id, TimeSpan.FromSeconds(2)) with
        {
            LongestWait = Wait(s_last, s_window - s_last, "UserRequest", by: null, isOpen: true),
            Partners = [by is { } thread
                ? By(thread, of) : By(0)
                with { Thread = Known.Unknown<ThreadId>("who readied the thread", "no thread did"),
                LongestBetween = TimeSpan.FromMilliseconds(40) }],
        };

    private static TraceThread Runs(uint id, params TracePartner[] partners)
        => SyntheticTraceFacts.Thread(id, Pid, s_window, Times(s_window * 0.99)) with { Partners = partners };

    private static TraceThread Ended(uint id, params TracePartner[] partners)
        => Thread(id, TimeSpan.FromSeconds(2)) with { To = s_last, IsEndSeen = true, Partners = partners };

    private static TracePartner By(uint thread, uint of = Pid)
        => new(Known.Read(new ThreadId(thread)), Known.Read(of), Known.Read("app.exe"), IsDeferred: false, 500,
            TimeSpan.FromMilliseconds(10), s_last, TimeSpan.FromMilliseconds(12));

    private static TraceThread Thread(uint id, TimeSpan runs)
        => SyntheticTraceFacts.Thread(id, Pid, s_window, Times(runs))
            with { WaitReasons = [new TraceWaitReason("UserRequest", 1_000, s_window - runs, IsReady: false)] };

    private static TraceTimes Times(TimeSpan runs) => new(runs, TimeSpan.Zero, s_window - runs, 1_000);

    private static TraceWait Wait(TimeSpan from, TimeSpan length, string reason, TraceReadiedBy? by, bool isOpen = false)
        => new(from, length, Known.Read(reason), isOpen, by is null
            ? Known.Unknown<TraceReadiedBy>("who readied the thread", "not made") : Known.Read(by), NoStack);

    private static Known<IReadOnlyList<string>> NoStack => Known.Unknown<IReadOnlyList<string>>("stack", "not made");
}
