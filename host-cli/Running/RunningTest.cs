using HangTriage.Facts;

namespace HangTriage.Cli.Running;

/// <summary>Names the test that a stuck test host runs: the method that a test framework has called.</summary>
internal static class RunningTest
{
    private static readonly string[] s_frameworks = ["Xunit.", "NUnit.", "Microsoft.VisualStudio.TestTools.", "Microsoft.VisualStudio.TestPlatform."];
    private static readonly string[] s_callers = ["System.Reflection.", "System.RuntimeMethodHandle.InvokeMethod", "InvokeStub_", "DynamicClass.", "System.RuntimeType.", "System.Runtime.", "System.Threading."];

    /// <summary>With file and line where they are known; empty where no test is seen to run.</summary>
    public static IReadOnlyList<string> NamesIn(ProcessSnapshot snapshot)
    {
        IEnumerable<string> onStacks = snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads)
            ? threads.Select(thread => OnStack([.. thread.Stack.Frames.Where(frame => frame is { Kind: FrameKind.Managed, Method: not null })])).OfType<string>()
            : [];
        IEnumerable<string> suspended = snapshot.Managed is { } managed && managed.TryGet(out ManagedFacts? facts)
            && facts.Flows is { } flows && flows.TryGet(out FlowsFacts? known) ? known.Groups.Select(Suspended).OfType<string>() : [];
        string[] names = [.. onStacks.Concat(suspended).Distinct(StringComparer.Ordinal)];
        return [.. names.Where(name => !names.Any(other => other.StartsWith(name + " (", StringComparison.Ordinal)))];
    }

    // From the framework's frames inwards: what reflection calls first that is neither its own nor the framework's.
    private static string? OnStack(FrameFacts[] frames)
    {
        int framework = Array.FindIndex(frames, frame => IsFramework(frame.Method!));
        int test = framework < 0 ? -1 : Array.FindLastIndex(frames, framework, frame => !IsFramework(frame.Method!) && !s_callers.Any(caller => frame.Method!.StartsWith(caller, StringComparison.Ordinal)));
        bool isCalled = test >= 0 && frames.AsSpan(test, framework - test).ToArray().Any(frame => frame.Method!.StartsWith("System.Reflection.", StringComparison.Ordinal));
        return isCalled ? Name(frames[test].Method!, frames[test].Source) : null;
    }

    private static string? Suspended(FlowGroup group)
    {
        string[] methods = [group.Method, .. group.AwaitedBy];
        int framework = Array.FindIndex(methods, IsFramework);
        return framework > 0 ? Name(methods[framework - 1], framework == 1 ? group.Source : null) : null;
    }

    private static bool IsFramework(string method) => s_frameworks.Any(framework => method.StartsWith(framework, StringComparison.Ordinal));

    private static string Name(string method, SourceLine? source) => source is null ? method : $"{method} ({source.File}:{source.Line})";
}
