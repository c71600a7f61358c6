using System.Globalization;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Threads that are blocked on tasks of every shape, against what the program that made them printed.</summary>
public sealed class TaskWaitsTests
{
    private const string Operation = "System.Threading.Tasks.ValueTask.AsTask";

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net8, true, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Each_thread_is_blocked_on_the_right_task_and_each_task_leads_to_what_completes_it(TargetFramework framework,
        bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("TaskWaits", framework, isOptimised);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;
        TaskGraphFacts tasks = managed.Tasks.Value;

        foreach (IReadOnlyDictionary<string, string> truth in process.Records("ends"))
        {
            string name = truth["name"];
            ThreadId thread = new(uint.Parse(truth["osid"].AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture));
            TaskWaitFacts[] waits = [.. tasks.Waits.Where(wait => wait.Thread == thread)];
            if (truth["kind"] == "-")
            {
                Assert.Empty(waits);
                continue;
            }

            TaskWaitFacts wait = Assert.Single(waits);
            TaskFacts[] waited = [.. wait.Tasks.Select(task => Of(tasks, task))];
            // WaitAny blocks on a promise of its own, and WaitAll holds its tasks in no order.
            int id = int.Parse(truth["task"], CultureInfo.InvariantCulture);
            TaskFacts first = (name == "wait-any" ? waited[0].Needs.Select(need => Of(tasks, need.Task!.Value)) : waited).FirstOrDefault(task => task.Id == id) ?? waited[0];
            Assert.Equal($"{name}: {truth["kind"]}", $"{name}: {first.Kind}");
            Assert.Equal($"{name}: {truth["ends"]}", $"{name}: {string.Join(',', Ends(tasks, wait.Tasks).Order(StringComparer.Ordinal))}");
            Assert.Equal(Trust.Read, wait.Trust);
            Assert.DoesNotContain(managed.Waits.Value, recorded => recorded.Thread == thread);
            if (!name.Contains("context", StringComparison.Ordinal) && name != "in-async-method")
            {
                Assert.Equal(id, first.Id);
            }
        }
    }

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Who_blocks_on_an_operation_waits_for_what_that_waits_for(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("TaskWaits", framework, isOptimised);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        FlowGroup writes = OperationOf("writes");
        FlowQueue queue = writes.Waits.Queue!;
        Assert.Equal((FlowWaitKind.Channel, FlowQueueEnd.Writer), (writes.Waits.Kind, queue.Waits));
        Assert.Equal((1, 1), (queue.Used, queue.Capacity));
        FlowGroup ticks = OperationOf("ticks");
        Assert.Equal((FlowWaitKind.Timer, true), (ticks.Waits.Kind, ticks.Waits.EndsByTimer));

        FlowGroup OperationOf(string name)
        {
            string thread = process.Records("ends").Single(truth => truth["name"] == name)["osid"];
            Address task = managed.Tasks.Value.Waits.Single(wait => wait.Thread.ToString() == thread).Tasks.Single();
            FlowGroup found = managed.Flows!.Value.Groups.Single(group => group.Sample == task);
            Assert.Equal(Operation, found.Method);
            Assert.StartsWith("TaskWaits.", Assert.Single(found.AwaitedBy), StringComparison.Ordinal);
            return found;
        }
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_wait_says_when_it_gives_up_or_that_it_does_not(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("TaskWaits", framework);
        TaskGraphFacts tasks = Cores.Read(process).Managed!.Value.Tasks.Value;

        foreach (IReadOnlyDictionary<string, string> truth in process.Records("ends").Where(truth => truth["kind"] != "-"))
        {
            TaskWaitFacts wait = tasks.Waits.Single(wait => wait.Thread.ToString() == truth["osid"]);
            if (truth["timeout"] == "-1")
            {
                Assert.Equal($"{truth["name"]}: {Timeout.InfiniteTimeSpan}", $"{truth["name"]}: {wait.Timeout}");
            }
            else if (framework == TargetFramework.Net8)
            {
                Assert.False(wait.Timeout.HasValue);
            }
            else
            {
                // What it spun before it blocked is not waited any more.
                TimeSpan stated = TimeSpan.FromMilliseconds(int.Parse(truth["timeout"], CultureInfo.InvariantCulture));
                Assert.InRange(wait.Timeout.Value, stated - TimeSpan.FromMinutes(1), stated);
            }
        }
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Async_methods_have_their_names_in_the_order_of_their_awaits(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("TaskWaits", framework);
        TaskGraphFacts tasks = Cores.Read(process).Managed!.Value.Tasks.Value;

        Assert.Equal(["TaskWaits.Shapes.AwaitsAsync", "TaskWaits.Shapes.AwaitsAsync", "TaskWaits.Shapes.StaysInContextAsync"], Methods(process, tasks, "get-result"));
        Assert.Equal(["TaskWaits.Shapes.<Unwrapped>b__8_0"], Methods(process, tasks, "unwrapped"));
        Assert.Equal(["TaskWaits.Shapes.PooledAsync", "TaskWaits.Shapes.PooledDelayAsync"], Methods(process, tasks, "pooled"));
        Assert.Equal(["TaskWaits.Shapes.ReceiveAsync", "System.IO.Stream.ReadAtLeastAsyncCore"], Methods(process, tasks, "receives").Take(2));
        Assert.Equal(["TaskWaits.Program.SleepForEver"], Methods(process, tasks, "runs"));
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net10)]
    public async Task Threads_that_run_a_context_are_found_with_their_loops(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("TaskWaits", framework);
        IReadOnlyList<UiThreadFacts> threads = Cores.Read(process).Managed!.Value.UiThreads.Value;

        Assert.Equal(
            process.Records("ends").Where(truth => truth["name"] is "context" or "free-of-context").Select(truth => truth["osid"]).Order(StringComparer.Ordinal),
            threads.Select(thread => thread.Thread.ToString()).Order(StringComparer.Ordinal));
        Assert.All(threads, thread => Assert.Equal(("TaskWaits.Loop", "TaskWaits.Loop.Run"), (thread.ContextType, thread.Loop)));
    }

    private static IEnumerable<string?> Methods(DumpedProcess process, TaskGraphFacts tasks, string name)
    {
        string thread = process.Records("ends").Single(truth => truth["name"] == name)["osid"];
        TaskFacts task = Of(tasks, tasks.Waits.Single(wait => wait.Thread.ToString() == thread).Tasks[0]);
        while (true)
        {
            if (task.Method is { } method)
            {
                yield return method;
            }

            if (task.Needs.FirstOrDefault(need => need.Task is not null)?.Task is not { } next)
            {
                yield break;
            }

            task = Of(tasks, next);
        }
    }

    private static List<string> Ends(TaskGraphFacts tasks, IEnumerable<Address> start)
    {
        List<string> ends = [];
        foreach (TaskFacts task in start.Select(address => Of(tasks, address)))
        {
            foreach (TaskNeedFacts need in task.Needs)
            {
                ends.AddRange(need switch
                {
                    { Task: { } next } => Ends(tasks, [next]),
                    { Kind: TaskNeedKind.Timer, SetFor: { } due } => [string.Create(CultureInfo.InvariantCulture, $"Timer:{due.TotalSeconds}")],
                    { Kind: TaskNeedKind.Thread or TaskNeedKind.Context, Thread: { } thread } => [$"{need.Kind}:{thread}"],
                    _ => [$"{need.Kind}"],
                });
            }
        }

        return ends;
    }

    private static TaskFacts Of(TaskGraphFacts tasks, Address address) => tasks.Tasks.Single(task => task.Address == address);
}
