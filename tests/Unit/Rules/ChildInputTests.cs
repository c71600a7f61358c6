using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>
/// A child that reads its input to the end does not end before this process closes it. Whether a child reads it is not in a dump of its
/// parent: where somebody waits for the child, that is a suspect.
/// </summary>
public sealed class ChildInputTests
{
    private const string Main = "Shop.Program.Main";
    private const string Exit = "System.Diagnostics.Process.WaitForExit";
    private const string Read = "System.IO.Pipes.PipeStream.ReadCore";

    private static readonly string[] s_waits =
        ["System.Threading.WaitHandle.WaitOneNoCheck", "System.Diagnostics.ProcessWaitState.WaitForExit", Exit, "Shop.Report.Convert"];
    private static readonly string[] s_rest =
        ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.InternalWaitCore", Exit + "Core", Exit, "Shop.Agent.Start"];
    private static readonly string[] s_blocks = ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait"];

    [Theory]
    [InlineData(true, VerdictKind.Inconclusive)]
    [InlineData(false, VerdictKind.NotHung)]
    public void Main_that_waits_for_the_end_of_a_child_with_an_open_input_is_a_suspect(bool isOpen, VerdictKind expected)
    {
        Verdict verdict = Expect(expected, SnapshotBuilder.Linux().Thread(1, [.. s_waits, Main]).Outside(Waits(1, Exit, isOpen)));

        const string Told = "waits in Report.Convert for the end of child process 1234, whose input is still open";
        Assert.Equal(isOpen, verdict.Title.Text.Contains(Told, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(true, true, VerdictKind.Inconclusive)]
    [InlineData(true, false, VerdictKind.NotHung)]
    [InlineData(false, true, VerdictKind.NotHung)]
    public void A_thread_that_waits_so_matters_where_others_wait_for_it(bool isJoined, bool isOpen, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", Main)
            .Thread(2, s_waits).Outside(Waits(2, Exit, isOpen)).Thread(3, "System.Threading.Thread.Sleep", "Shop.Clock.Run");

        Expect(expected, builder.Joins(1, isJoined ? 2u : 3u));
    }

    // Who tries to get the lock for some seconds continues whatever the child does.
    [Theory]
    [InlineData(5, VerdictKind.NotHung)]
    [InlineData(null, VerdictKind.BlockedOnExternal)]
    public void One_that_gives_its_wait_up_does_not_wait_behind_the_child(int? seconds, VerdictKind expected)
    {
        LockId gate = SnapshotBuilder.Monitor(0xa000);
        TimeSpan? limit = seconds is { } known ? TimeSpan.FromSeconds(known) : null;

        Expect(expected, SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", Main)
            .Thread(2, s_waits).Outside(Waits(2, Exit, isOpen: true))
            .Lock(gate, 2).Thread(3, "System.Threading.Monitor.TryEnter_Slowpath", "Shop.Orders.Add").Waits(3, gate, limit));
    }

    [Theory]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void A_wait_for_a_child_with_a_time_limit_ends(bool hasTimeout, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, [.. s_waits, Main]).Outside(Waits(1, Exit, isOpen: true));

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(builder.Build(), 1, "futex", hasTimeout)).Verdict.Kind);
    }

    [Theory]
    [InlineData(true, VerdictKind.Inconclusive)]
    [InlineData(false, VerdictKind.NotHung)]
    public void An_asynchronous_Main_waits_alike(bool isOpen, VerdictKind expected)
        => Expect(expected, SnapshotBuilder.Linux()
            .Thread(1, [.. s_blocks, "Shop.Program.<Main>"])
            .Task(0xa000, TaskKind.AsyncMethod, "Shop.Report.ConvertAsync")
            .Task(0xb000, TaskKind.AsyncMethod, "System.Diagnostics.Process.WaitForExitAsync")
            .Needs(0xa000, TaskNeedKind.Task, 0xb000)
            .Needs(0xb000, TaskNeedKind.Unknown)
            .WaitsAsyncForChild(0xb000, 1234, UnreadOutput.None, isOpen)
            .WaitsForTask(1, 0xa000));

    // It reads line after line, as one does of a child that sorts its input, and of a child that is asked over its input.
    [Theory]
    [InlineData(true, true, VerdictKind.Inconclusive)]
    [InlineData(true, false, VerdictKind.NotHung)]
    [InlineData(false, true, VerdictKind.NotHung)]
    public void A_reader_of_a_child_matters_where_others_wait_for_its_end(bool isJoined, bool isOpen, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", Main)
            .Thread(2, "[InlinedCallFrame]", "Interop+Sys.Read", Read, "System.IO.StreamReader.ReadLine", "Shop.Report.Lines")
            .Outside(Waits(2, Read, isOpen) with { IsInLoop = true }).Thread(3, "System.Threading.Thread.Sleep", "Shop.Clock.Run")
            .Joins(1, isJoined ? 2u : 3u);

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(builder.Build(), 2, "read")).Verdict.Kind);
    }

    // It has exited: its input keeps nobody any more.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_input_of_a_child_that_has_exited_does_not_count(bool isOpen)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, [.. s_rest, Main]).Outside(Waits(1, Exit, isOpen));
        Verdict verdict = Expect(VerdictKind.BlockedOnExternal, builder);

        Assert.DoesNotContain("input", verdict.Title.Text, StringComparison.Ordinal);
    }

    private static OutsideWaitFacts Waits(uint thread, string call, bool isOpen) => new()
    {
        Thread = new ThreadId(thread),
        Call = call,
        Child = Known.Read(new ChildFacts { Id = Known.Read(1234u), Unread = Known.Read(UnreadOutput.None), IsInputOpen = isOpen }),
        Source = $"stack root of {call}",
    };

    private static Verdict Expect(VerdictKind kind, SnapshotBuilder builder)
    {
        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal(kind, verdict.Kind);
        return verdict;
    }
}
