using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>Processes with more threads and async methods than a report may list.</summary>
internal static class Crowded
{
    private static readonly string[] s_wait =
    [
        "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait",
        "System.Threading.Tasks.Task.InternalWaitCore", "System.Threading.Tasks.Task.InternalWait", "System.Threading.Tasks.Task<System.Int32>.GetResultCore",
    ];

    /// <summary>A web service all of whose workers block on the result of one async method.</summary>
    public static TriageResult StarvedService(uint workers)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (uint worker = 0; worker < workers; worker++)
        {
            ulong task = 0x7f3000000000UL + (worker * 0x100UL);
            builder.Thread(0x1000 + worker, new ThreadOptions { Name = ".NET TP Worker" }, [.. s_wait, "Shop.PriceController.Get(Int32)", "System.Threading.ThreadPoolWorkQueue.Dispatch()"])
                .Task(task, TaskKind.AsyncMethod, "Shop.Prices.FetchAsync")
                .Needs(task, TaskNeedKind.PoolQueue)
                .WaitsForTask(0x1000 + worker, task);
        }

        return Triage.Judge(builder.Pool(new PoolWorkers(workers, workers, workers, 2, workers), 4_000, 12).Build());
    }

    /// <summary>Every thread has its own name and its own deep stack, and every async method is another one.</summary>
    public static TriageResult Everything(int threads, int flows)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (int thread = 0; thread < threads; thread++)
        {
            builder.Thread(0x1000 + (uint)thread, new ThreadOptions { Name = $"worker {thread}" }, [.. Enumerable.Range(0, 80).Select(frame => $"App.Module{thread}.Class{frame}.MethodWithQuiteALongName(System.String, System.Int32)")]);
        }

        for (int flow = 0; flow < flows; flow++)
        {
            builder.Flow($"App.Module{flow}.WaitForSomethingAsync", new FlowWait { Kind = FlowWaitKind.Task, Label = $"App.Module{flow}._reply" }, 1, $"App.Caller{flow}.RunAsync");
        }

        TriageResult result = SampleResults.NotHung() with { Case = Case.Of(builder.Build()) };
        result = result with
        {
            Threads = [.. result.Snapshot.Threads.Value.Select(thread => new HangTriage.Rules.Threads.ThreadAssessment(thread, HangTriage.Rules.Threads.ThreadActivity.Running, Trust.Read, thread.Stack.Frames[0]))],
        };
        Party[] parties = [.. result.Threads.Select(thread => Party.OfThread(thread.Thread.OsId, $"thread {thread.Thread.Index}") with { Role = new string('r', 500) })];
        return result with
        {
            Verdict = result.Verdict with
            {
                Kind = VerdictKind.Deadlock,
                Title = new string('t', 3_000),
                Culprit = parties[0],
                Victims = parties[1..],
                Evidence = [.. parties.Select(party => new Evidence($"{party} {new string('e', 1_500)}", "stack", Trust.Read))],
            },
        };
    }

    /// <summary>A circle of so many threads, each waiting for a lock that the next one holds.</summary>
    public static TriageResult Circle(int threads)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (int thread = 0; thread < threads; thread++)
        {
            LockId own = SnapshotBuilder.Monitor(0x7f0000001000 + ((ulong)thread * 0x20));
            LockId next = SnapshotBuilder.Monitor(0x7f0000001000 + ((ulong)((thread + 1) % threads) * 0x20));
            builder.Thread(0x1000 + (uint)thread, new ThreadOptions { Name = $"worker {thread}" }, "System.Threading.Monitor.Enter_Slowpath", $"App.Ring.Take{thread}()")
                .Lock(own, 0x1000 + (uint)thread)
                .Waits(0x1000 + (uint)thread, next);
        }

        return Triage.Judge(builder.Build());
    }
}
