using System.Diagnostics;
using HangTriage.Capture;
using HangTriage.Capture.Files;
using HangTriage.Capture.Linux;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Collections;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Outside;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Tasks.Graph;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Benchmarks;

/// <summary>
/// What the look-up from blocked threads to their tasks takes, as a share of the walk over the heap that a capture makes: both in turn, in
/// a process that has done it before. It is measured for every thread; a capture does it for those alone whose stacks do not hold the task.
/// </summary>
internal static class LookUpShare
{
    private const int WarmUps = 5;

    private static readonly CaptureContext s_context = CaptureContext.Default;

    public static void Measure(ManagedCore core, int runs, TextWriter output, TextWriter progress)
    {
        progress.WriteLine($"look-up: {runs} runs");
        using DataTarget unmapped = ClrTarget.Open(core.Path, s_context.Limits);
        using MappedFile file = MappedFile.Open(core.Path);
        using FileStream stream = File.OpenRead(core.Path);
        using DataTarget target = ClrTarget.Open(
            new MappedCore(unmapped.DataReader, file, CoreNotes.Read(stream, s_context.Limits).Memory), s_context.Limits);
        using ClrRuntime runtime = target.ClrVersions[0]
            .CreateRuntime(Path.Combine(core.Runtime, ManagedCore.DataAccess), ignoreMismatch: true);
        ClrThread[] threads = [.. runtime.Threads.Where(thread => thread.IsAlive)];
        ThreadFrames frames = new(s_context);
        RuntimeRoots roots = RuntimeRoots.Read(runtime, threads, frames, s_context, []);
        ClrObject[] events = [.. roots.Stacks.Select(TaskBlocker.Of).OfType<TaskBlocker>().Select(blocker => blocker.Event)];
        int byStack = roots.Stacks.Count(
            stack => TaskBlocker.Of(stack) is { } blocker && TaskWait.OnStack(stack, blocker, s_context).Count > 0);

        int found = 0;
        List<(double Walk, double LookUp)> costs = [];
        for (int i = 0; i < WarmUps + runs; i++)
        {
            costs.Add((Walk(runtime, threads, frames), Seconds(() => found = LookUp(runtime, roots, events))));
        }

        costs.RemoveRange(0, WarmUps);
        output.WriteLine();
        output.WriteLine($"look-up: a heap of {HeapBytes(runtime) >> 20} MB, in one process, warm; median of {runs} (least to most)");
        output.WriteLine($"  {events.Length} threads sleep until tasks complete: {found} lead to them, {byStack} have them on stacks");
        output.WriteLine($"  heap walk  {Spread.Of(costs.Select(cost => cost.Walk)).Seconds()}");
        output.WriteLine($"  look-up    {Spread.Of(costs.Select(cost => cost.LookUp)).Seconds()}");
        output.WriteLine($"  share      {Spread.Of(costs.Select(cost => cost.LookUp / cost.Walk)).Ratio()}");
    }

    // Those who take part in each capture.
    private static double Walk(ClrRuntime runtime, ClrThread[] threads, ThreadFrames frames)
    {
        using InlinedCalls inlined = new(runtime, s_context);
        using PollsReader polls = new(runtime, threads, [], frames, inlined, s_context);
        IHeapVisitor[] visitors =
        [
            .. new CollectionReader(runtime, threads, s_context).Visitors, .. new FlowsReader(runtime, s_context).Visitors,
            new ChildVisitor(), new ListenerVisitor(), new WriterVisitor(), new TransactionVisitor(), new FaultVisitor(),
            .. polls.Visitors(isWalkedAnyhow: true),
        ];
        long start = Stopwatch.GetTimestamp();
        HeapWalk.Run(runtime, s_context, visitors);
        return Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    // Nothing is known of the heap from the run before.
    private static int LookUp(ClrRuntime runtime, RuntimeRoots roots, ClrObject[] events)
    {
        PointerMap pointers = new(
            [.. runtime.Heap.Segments.Select(segment => segment.ObjectRange)], runtime.DataTarget.DataReader.PointerSize);
        return new BlockedTasks(runtime, roots with { Pointers = pointers, Referrers = new KnownReferrers() }, s_context).Of(events).Count;
    }

    private static ulong HeapBytes(ClrRuntime runtime)
        => runtime.Heap.Segments.Aggregate(0UL, (sum, segment) => sum + segment.ObjectRange.Length);

    private static double Seconds(Action part)
    {
        long start = Stopwatch.GetTimestamp();
        part();
        return Stopwatch.GetElapsedTime(start).TotalSeconds;
    }
}
