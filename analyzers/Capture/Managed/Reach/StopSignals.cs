using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>What in a process acts once it is told to stop, and not before.</summary>
internal static class StopSignals
{
    private const string Console = "System.ConsoleCancelEventHandler";
    private const int MostSteps = 64;

    /// <summary>It is called for Ctrl+C.</summary>
    public static bool IsHandler(ClrObject found) => found.Type?.Name == Console;

    /// <summary>The method waits until a host is told to stop.</summary>
    public static bool IsAwaitedBy(FlowBox flow) => flow.Method?.Name == HostCalls.WaitForStop;

    /// <summary>One of the handlers leads to it without an async method or a thread between that waits for the stop, too.</summary>
    public static bool LeadTo(ReachGraph graph, int node, IReadOnlySet<ulong> handlers, Func<int, bool> isWaiter)
        => graph.Behind([node], MostSteps, from => !isWaiter(from)).Any(from => handlers.Contains(graph.AddressOf(from)));

    /// <summary>One of the handlers can come to code that ends the wait: lambdas share what they lead to, whichever uses it.</summary>
    public static bool MayCall(IReadOnlySet<ulong> handlers, IReadOnlyList<CodeUse> uses)
        => uses.Count == 0 || uses.Any(use => use.IsOpen || use.By.Any(handlers.Contains));
}
