using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Services that are busy and healthy look like hung ones in an instant.</summary>
public sealed class BusyServiceTests
{
    private const string Send = "Shop.Mails.Send";

    private static readonly TimeSpan s_between = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan s_life = TimeSpan.FromHours(1);
    private static readonly string[] s_asks =
        ["[InlinedCallFrame]", "System.Net.Sockets.Socket.Receive", "Shop.Bank.Balance", "System.Threading.ThreadPoolWorkQueue.Dispatch"];

    // How many items each of four workers has completed between two looks; null for one look.
    [Theory]
    [InlineData(null, VerdictKind.Inconclusive)]
    [InlineData(0u, VerdictKind.BlockedOnExternal)]
    [InlineData(3u, VerdictKind.NotHung)]
    public void A_crowd_of_workers_that_waits_for_a_server_is_a_hang_only_where_it_stays(uint? completed, VerdictKind expected)
    {
        ProcessSnapshot last = Asking(SnapshotBuilder.Linux(), s_life, completed ?? 0);
        Case @case = completed is null
            ? Case.Of(last)
            : Case.Of([Asking(SnapshotBuilder.Linux().Earlier(s_between), s_life - s_between, 0), last]);
        Verdict verdict = Triage.Judge(@case).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected != VerdictKind.NotHung, verdict.Title.Text.Contains("3 more wait in Bank.Balance", StringComparison.Ordinal));
    }

    // Four have entered and wait for what a background service brings.
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Methods_past_the_wait_hold_the_entries_while_something_can_still_let_them_go_on(bool isReached, bool isLost)
    {
        FlowGroup past = Holders(Send, 2, 4, task: 0x9000, sample: 0x8000);
        FlowWait gate = Gate("Shop.Mails.s_four", 4);
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(0x10, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Flow(Send, gate, 296).Flow(past);
        TriageResult result = Triage.Judge((isReached ? builder.FlowReachedByTimer(0x8000) : builder.LostFlow(0x8000)).Build());

        Assert.Equal(isLost, result.Findings.Any(finding => finding.Rule.Id == "HT2011"));
    }

    // One has entered and waits for a task of the pool; the others block workers until they can enter.
    [Theory]
    [InlineData(TaskNeedKind.PoolQueue, VerdictKind.Starvation)]
    [InlineData(TaskNeedKind.Io, VerdictKind.Inconclusive)]
    public void Workers_behind_an_async_lock_are_starved_where_its_holder_waits_for_the_queue(TaskNeedKind need, VerdictKind expected)
    {
        string[] worker =
            ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.InternalWaitCore", "Shop.Vault.Open",
                "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        const string Enter = "Shop.Vault.OpenAsync";
        FlowWait gate = Gate("Shop.Vault.s_lock", 1);
        FlowGroup holder = Holders(Enter, 1, 1, task: 0x7200, sample: 0x7100);
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker)
            .Flow(Enter, gate).Flow(holder).LostFlow(0x7100)
            .Task(0x7000, TaskKind.AsyncMethod, Enter).Needs(0x7000, TaskNeedKind.Unknown)
            .Task(0x7100, TaskKind.AsyncMethod, Enter).Needs(0x7100, TaskNeedKind.Task, other: 0x7200)
            .Task(0x7200, TaskKind.Delegate, "Shop.Vault.Count").Needs(0x7200, need)
            .WaitsForTask(1, 0x7000).WaitsForTask(2, 0x7100)
            .Pool(new PoolWorkers(2, 2, 2, 2, 2), 40).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Contains("Vault.Open", verdict.Title.Text, StringComparison.Ordinal);
    }

    private static ProcessSnapshot Asking(SnapshotBuilder builder, TimeSpan life, uint completed)
    {
        for (uint id = 1; id <= 4; id++)
        {
            builder.Thread(id, new ThreadOptions { Life = life }, s_asks).WaitsForPeer(id, SnapshotBuilder.Socket("10.0.0.7:5432"));
        }

        builder.Thread(0x10, new ThreadOptions { Life = life }, "System.Threading.Thread.Sleep", "Shop.Program.Main");
        return builder.Pool(new PoolWorkers(4, 4, 4, 4, 4), 40)
            .Completed(Enumerable.Range(1, 4).Select(id => ((uint)id, 7 + completed))).Build();
    }

    // Past the wait for the semaphore, at an await further on.
    private static FlowGroup Holders(string method, int at, int count, ulong task, ulong sample) => new()
    {
        Method = method,
        Await = at,
        Count = count,
        State = FlowState.Suspended,
        Waits = new FlowWait { Kind = FlowWaitKind.Task, Objects = count, Address = new Address(task) },
        AwaitedBy = [],
        Root = FlowRoot.Static,
        Sample = new Address(sample),
    };

    private static FlowWait Gate(string label, uint most) => new()
    {
        Kind = FlowWaitKind.Semaphore,
        Objects = 1,
        Address = new Address(0x9100),
        Label = label,
        Entries = new SemaphoreEntries(0, most),
    };
}
