using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>
/// What Main awaits keeps the process alive where one method waits for it once. What Main awaits again and again, or several of at once,
/// is work.
/// </summary>
public sealed class KeepAliveTests
{
    private const string Main = "Shop.Program.Main";
    private const string Send = "Shop.Export.SendAsync";
    private const string Host = "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.RunAsync";
    private const ulong Sample = 0xb000;

    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };

    [Theory]
    [InlineData(1, false, VerdictKind.NotHung)]
    [InlineData(1, null, VerdictKind.NotHung)]
    [InlineData(1, true, VerdictKind.Inconclusive)]
    [InlineData(3, false, VerdictKind.Inconclusive)]
    public void Main_keeps_the_process_alive_by_one_wait_in_no_loop(int count, bool? isInLoop, VerdictKind expected)
    {
        Expect(expected, Idle().Flow(Awaits(Main, isInLoop) with { Count = count }));
        Expect(expected, Idle().Flow(Awaits(Send, isInLoop, Main) with { Count = count }));
        Expect(expected, Blocks().Flow(Awaits(Send, isInLoop) with { Count = count }));
    }

    // Who asks a program to end does so by a signal. Main's own wait needs no such reason.
    [Theory]
    [InlineData(Main, true, VerdictKind.NotHung)]
    [InlineData(Main, false, VerdictKind.NotHung)]
    [InlineData(Send, true, VerdictKind.NotHung)]
    [InlineData(Send, false, VerdictKind.Inconclusive)]
    public void A_method_that_Main_calls_keeps_the_process_alive_where_signals_are_handled(
        string method, bool handlesSignals, VerdictKind expected)
        => Expect(expected, Idle().Flow(Awaits(method, false, method == Main ? [] : [Main])).HandlesSignals(handlesSignals));

    // Code of the program was to keep the promise, and nobody comes there any more.
    [Theory]
    [InlineData("Shop.Replies.Answer", VerdictKind.NeverCompleted)]
    [InlineData(null, VerdictKind.NotHung)]
    public void A_promise_that_code_was_to_keep_keeps_no_process_alive(string? giver, VerdictKind expected)
    {
        WaitReach reach = new() { Givers = giver is null ? null : [giver], Users = giver is null ? null : [giver], Holders = [] };

        Expect(expected, Blocks().Flow(Awaits(Send, false) with { Waits = s_promise with { Reach = reach } }).Running("a timer"));
    }

    // An event that no code sets cannot have been forgotten to be set.
    [Theory]
    [InlineData(null, "Shop.Program.Main", VerdictKind.NotHung)]
    [InlineData("Shop.Desk.Close", "Shop.Program.Main", VerdictKind.NeverCompleted)]
    [InlineData(null, "Shop.Worker.Run", VerdictKind.Inconclusive)]
    public void Main_keeps_the_process_alive_by_an_event_that_no_code_sets(string? giver, string caller, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "Shop.Desk.Await", caller)
            .WaitsForSignal(1, 0x5000, "Shop.Desk._quit")
            .Reached(new ThreadId(1), new WaitReach { Givers = giver is null ? [] : [giver], Users = [], Holders = [] })
            .Running("a timer");
        if (caller != Main)
        {
            builder.Thread(2, "System.Threading.Thread.Join", Main).Joins(2, 1);
        }

        Expect(expected, builder);
    }

    // A flag, an object or an exit code is how programs are told to end.
    [Theory]
    [InlineData("System.Threading.Tasks.Task<Shop.Quote>", VerdictKind.NeverCompleted)]
    [InlineData("System.Threading.Tasks.Task<System.Threading.Tasks.VoidTaskResult>", VerdictKind.NotHung)]
    [InlineData("System.Threading.Tasks.Task<System.Boolean>", VerdictKind.NotHung)]
    [InlineData("System.Threading.Tasks.Task<MediatR.Unit>", VerdictKind.NotHung)]
    [InlineData("System.Threading.Tasks.Task<System.Int32>", VerdictKind.NotHung)]
    [InlineData("System.Threading.Tasks.Task", VerdictKind.NotHung)]
    public void A_promise_whose_result_is_wanted_keeps_no_process_alive(string type, VerdictKind expected)
    {
        FlowWait promise = s_promise with { Type = type, Reach = new WaitReach { Holders = [] } };

        Expect(expected, Blocks().Flow(Awaits(Send, false) with { Waits = promise }).HandlesSignals(true).Running("a timer"));
    }

    // gRPC has no source lines here, and Main has.
    [Theory]
    [InlineData(false, VerdictKind.NotHung)]
    [InlineData(true, VerdictKind.Inconclusive)]
    public void What_Main_writes_to_a_stream_of_a_library_again_and_again_is_work(bool isInLoop, VerdictKind expected)
    {
        const string Write = "Grpc.Net.Client.Internal.HttpContentClientStreamWriter.WriteCoreAsync";
        FlowWait writes = new() { Kind = FlowWaitKind.AsyncMethod, Label = Write };
        FlowGroup main = Awaits(Main, null) with { Waits = writes, Sample = new Address(0xc000) };

        Expect(expected, Idle().Flow(main).Flow(Awaits(Write, isInLoop, Main) with { Source = null }));
    }

    [Theory]
    [InlineData(false, VerdictKind.Inconclusive)]
    [InlineData(true, VerdictKind.NotHung)]
    public void A_loop_of_Main_that_a_token_ends_idles(bool endsByToken, VerdictKind expected)
        => Expect(expected, Idle().Flow(Awaits(Send, true, Main) with { Waits = s_promise with { EndsByToken = endsByToken } }));

    // A Main that runs its host anew after each stop.
    [Theory]
    [InlineData(null, VerdictKind.Inconclusive)]
    [InlineData(Host, VerdictKind.NotHung)]
    public void A_host_that_Main_runs_in_a_loop_idles(string? host, VerdictKind expected)
        => Expect(expected, Idle().Flow(Awaits("Shop.Startup.WaitAsync", true, [.. new[] { host }.OfType<string>(), Main])));

    [Theory]
    [InlineData(false, VerdictKind.Inconclusive)]
    [InlineData(true, VerdictKind.NotHung)]
    public void A_loop_of_Main_that_a_timer_alone_feeds_has_a_reason(bool isByGiversAlone, VerdictKind expected)
    {
        WaitReach reach = new() { By = FlowRoot.Timer, IsByGiversAlone = isByGiversAlone, Holders = [] };

        Expect(expected, Idle().Flow(Awaits(Main, true) with { Waits = s_promise with { Reach = reach } }));
    }

    // Nothing can end the wait of any of them, while a timer runs.
    [Theory]
    [InlineData(1, VerdictKind.NotHung)]
    [InlineData(3, VerdictKind.NeverCompleted)]
    public void Several_that_Main_awaits_at_once_are_lost_where_nothing_leads_there(int count, VerdictKind expected)
        => Expect(expected, Idle().Flow(Awaits(Send, false, Main) with { Count = count }).LostFlow(Sample).Running("a timer"));

    private static FlowGroup Awaits(string method, bool? isInLoop, params IReadOnlyList<string> awaitedBy) => new()
    {
        Method = method,
        Await = 0,
        Count = 1,
        Source = new SourceLine("Shop/Program.cs", 10),
        State = FlowState.Suspended,
        Waits = s_promise,
        AwaitedBy = awaitedBy,
        Root = FlowRoot.Static,
        Sample = new Address(Sample),
        IsInLoop = isInLoop,
    };

    private static SnapshotBuilder Idle() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", Main);

    // Main itself is not async: it blocks on the task of the method.
    private static SnapshotBuilder Blocks()
        => SnapshotBuilder.Linux().Thread(1, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.Wait", Main)
            .Task(Sample, TaskKind.AsyncMethod, Send).Needs(Sample, TaskNeedKind.Unknown).WaitsForTask(1, Sample);

    private static void Expect(VerdictKind kind, SnapshotBuilder builder) => Assert.Equal(kind, Triage.Judge(builder.Build()).Verdict.Kind);
}
