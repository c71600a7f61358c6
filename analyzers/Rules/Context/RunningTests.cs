using HangTriage.Facts;

namespace HangTriage.Rules.Context;

/// <summary>Names the tests that a test host runs: by the methods that a test framework has called or waits for, and by what the runner wrote down.</summary>
internal static class RunningTests
{
    private const int MostTests = 1_000;

    private static readonly string[] s_frameworks = ["Xunit.", "NUnit.", "TUnit.", "Microsoft.VisualStudio.TestTools.", "Microsoft.VisualStudio.TestPlatform.", "Microsoft.Testing."];
    private static readonly string[] s_calls = ["System.Reflection.", "TUnit.Generated."];
    private static readonly string[] s_callers = ["System.Reflection.", "System.RuntimeMethodHandle.InvokeMethod", "InvokeStub_", "DynamicClass.", "System.RuntimeType.", "System.Runtime.", "System.Threading."];

    /// <summary>With file and line where they are known; empty where no test is seen to run.</summary>
    public static IReadOnlyList<TestFacts> Of(Case @case)
    {
        Dictionary<ThreadId, FrameFacts[]> stacks = StacksOf(@case.Last);
        return Merge([.. stacks.Values.Select(OnStack).OfType<TestFacts>(), .. FlowsOf(@case.Last).Select(flow => Suspended(flow, stacks)).OfType<TestFacts>(), .. @case.HungTests]);
    }

    private static Dictionary<ThreadId, FrameFacts[]> StacksOf(ProcessSnapshot snapshot)
    {
        Dictionary<ThreadId, FrameFacts[]> stacks = [];
        foreach (ThreadFacts thread in snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads) ? threads : [])
        {
            stacks.TryAdd(thread.OsId, [.. thread.Stack.Frames.Where(frame => frame is { Kind: FrameKind.Managed, Method: not null })]);
        }

        return stacks;
    }

    private static IReadOnlyList<FlowGroup> FlowsOf(ProcessSnapshot snapshot)
        => snapshot.Managed is { } managed && managed.TryGet(out ManagedFacts? facts) && facts.Flows is { } flows && flows.TryGet(out FlowsFacts? inventory) ? inventory.Groups : [];

    // The same test is seen in several ways, some of which leave out its type or its line.
    private static IReadOnlyList<TestFacts> Merge(IEnumerable<TestFacts> seen)
    {
        TestFacts[] tests = [.. seen.GroupBy(test => test.Name, StringComparer.Ordinal).Select(same => same.FirstOrDefault(test => test.Source is not null) ?? same.First()).Take(MostTests)];
        HashSet<string> methods = [.. tests.Where(test => test.Name.Contains('.', StringComparison.Ordinal)).Select(test => test.Name[(test.Name.LastIndexOf('.') + 1)..])];
        return [.. tests.Where(test => !methods.Contains(test.Name))];
    }

    // From the framework's frames inwards: what reflection, or code that TUnit generates, calls first that is neither's own.
    private static TestFacts? OnStack(FrameFacts[] frames)
    {
        int framework = Array.FindIndex(frames, frame => IsFramework(frame.Method!));
        int test = framework < 0 ? -1 : Array.FindLastIndex(frames, framework, frame => !IsFramework(frame.Method!) && !s_callers.Any(caller => frame.Method!.StartsWith(caller, StringComparison.Ordinal)));
        bool isCalled = test >= 0 && frames.Take(framework + 1).Skip(test).Any(frame => s_calls.Any(call => frame.Method!.StartsWith(call, StringComparison.Ordinal)));
        return isCalled ? new TestFacts(frames[test].Method!) { Source = frames[test].Source } : null;
    }

    // The framework awaits the test, or blocks a thread of its own until the test's task completes, as NUnit does.
    private static TestFacts? Suspended(FlowGroup flow, Dictionary<ThreadId, FrameFacts[]> stacks)
    {
        string[] methods = [flow.Method, .. flow.AwaitedBy];
        int test = Array.FindIndex(methods, IsFramework) is >= 0 and int framework ? framework - 1
            : !flow.IsChainCut && flow is { Root: FlowRoot.Thread, RootThread: { } thread } && stacks.TryGetValue(thread, out FrameFacts[]? stack) && IsWaitOfFramework(stack) ? methods.Length - 1
            : -1;
        return test >= 0 && !IsBase(methods[test]) ? new TestFacts(methods[test]) { Source = test == 0 ? flow.Source : null } : null;
    }

    private static bool IsWaitOfFramework(FrameFacts[] stack) => stack.FirstOrDefault(frame => !IsBase(frame.Method!)) is { } caller && IsFramework(caller.Method!);

    private static bool IsBase(string method) => method.StartsWith("System.", StringComparison.Ordinal);

    private static bool IsFramework(string method) => s_frameworks.Any(framework => method.StartsWith(framework, StringComparison.Ordinal));
}
