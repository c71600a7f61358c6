using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;

namespace HangTriage.Reports;

/// <summary>Commands that would show next time what this input does not hold; each fits the input.</summary>
internal static class NextTime
{
    /// <summary>What a command is for, and the command; empty where nothing is missed.</summary>
    public static IReadOnlyList<(string What, string Command)> Of(TriageResult result)
    {
        TargetFacts target = result.Snapshot.Target;
        string pid = target.Pid.TryGet(out uint id) ? id.ToString(CultureInfo.InvariantCulture) : "PID";
        List<(string, string)> commands = [];
        if (result.Case.IsTraceAlone)
        {
            // The verdict's advice says which dump to take.
            return [];
        }

        if (target.Crash is not null)
        {
            return LacksHeap(result.Snapshot) && target.Os == TargetOs.Linux
                ? [("to see the .NET heap (tasks, async methods, owners of locks), let the runtime write a core with all memory when it crashes", "export DOTNET_DbgEnableMiniDump=1 DOTNET_DbgMiniDumpType=4")]
                : [];
        }

        if (LacksStacks(result.Snapshot))
        {
            commands.Add(("to see every stack and the locks, write a dump with all memory", $"procdump -ma {pid}"));
        }

        if (IsForWindows(result.Snapshot))
        {
            commands.Add(("to see the .NET half, take the facts out of this dump on Windows (x64), and analyze those anywhere", "triage capture hung.dmp -o hung.facts.json"));
        }

        if (LacksHeap(result.Snapshot))
        {
            commands.Add(("to see the .NET heap (tasks, async methods, owners of locks), write a core with all memory", $"dotnet-dump collect --type Full -p {pid}"));
        }

        if (result.Verdict.Confidence != Confidence.Certain && result.Case.Samples.Count == 1)
        {
            commands.Add(target.Kind == TargetKind.LiveProcess
                ? ("to see what moves and what stands still, look several times", $"triage attach {pid} --samples 5 --interval 2s")
                : ("to see what moves and what stands still, take a second dump some seconds after the first", OpenAdvice.Both(target)));
        }

        if (LacksCpu(result.Snapshot) && target is { Os: TargetOs.Linux, Kind: not TargetKind.LiveProcess })
        {
            commands.Add(("to see CPU time and kernel state of each thread, look at the process while it runs", $"triage attach {pid}"));
        }

        // What the advice says is not said again.
        return [.. commands.Where(command => !result.Verdict.Advice.Any(advice => advice.Text.Contains(command.Item2, StringComparison.Ordinal)))];
    }

    // Small dumps hold neither the stacks' memory nor the heap.
    private static bool LacksStacks(ProcessSnapshot snapshot)
        => snapshot.Target is { Kind: TargetKind.Minidump, Os: TargetOs.Windows }
            && snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads)
            && threads.Count(thread => thread.Stack.Stopped is not null) * 2 > threads.Count;

    private static bool IsForWindows(ProcessSnapshot snapshot)
        => snapshot.Target is { Kind: TargetKind.Minidump, Os: TargetOs.Windows } && snapshot.Managed is { Gap: { } gap } && gap.Why.Contains("on Windows", StringComparison.Ordinal);

    // The inventory of async methods is what needs the heap most: where it is a gap, the rest of the heap is one as well.
    private static bool LacksHeap(ProcessSnapshot snapshot)
        => snapshot.Target.Kind != TargetKind.LiveProcess && snapshot.Managed is { } managed && managed.TryGet(out ManagedFacts? facts) && !facts.Locks.HasValue;

    private static bool LacksCpu(ProcessSnapshot snapshot)
        => snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads) && threads.Count > 0 && threads.All(thread => !thread.Cpu.HasValue);
}
