using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Context;

/// <summary>Finds the cycles of the wait graph once, and says of which class each is.</summary>
internal static class Circles
{
    public static ILookup<CycleClass, Circle> Of(RuleContext context)
        => context.Graph.Cycles().Select(nodes => new Circle(context, nodes)).ToLookup(circle => ClassOf(context, circle));

    private static CycleClass ClassOf(RuleContext context, Circle circle)
        => OfRuntime(circle) ?? (circle.Nodes.Any(node => node.Task is not null)
                ? circle.Round.Any(edge => edge.Kind == EdgeKind.NeedsContext) ? CycleClass.ContextOfThread : CycleClass.Task
            : IsManaged(context, circle.Nodes) ? CycleClass.Managed
            : IsOfLoader(context.Graph, circle.Nodes) ? CycleClass.Loader
            : CycleClass.Native);

    private static CycleClass? OfRuntime(Circle circle)
    {
        HashSet<LockKind?> kinds = [.. circle.Round.Select(edge => edge.To.Lock?.Kind)];
        return kinds.Contains(LockKind.StaticConstructor) ? CycleClass.StaticConstructor
            : kinds.Contains(LockKind.Callback) ? CycleClass.Callback
            : kinds.Contains(LockKind.ContextCall) ? CycleClass.ContextCall
            : kinds.Contains(LockKind.ExitHandlers) ? CycleClass.ExitHandlers
            : kinds.Contains(LockKind.Finalizers) ? CycleClass.Finalizers
            : null;
    }

    // Where it has no lock, its threads wait for each other's end.
    private static bool IsManaged(RuleContext context, IReadOnlyList<WaitNode> cycle)
    {
        WaitNode[] locks = [.. cycle.Where(node => node.Lock is not null)];
        return locks.Length > 0
            ? locks.All(node => node.Lock!.Kind.IsManaged() || IsSignalOfManaged(context, node))
            : cycle.All(node => node.Thread is { } thread && context.Find(thread)?.Thread.ManagedId is not null);
    }

    // A handle of the system by which threads of .NET signal each other: who can signal it was found in the managed heap.
    private static bool IsSignalOfManaged(RuleContext context, WaitNode node) => context.Graph.From(node).Any(edge => edge.Kind == EdgeKind.CompletedBy);

    private static bool IsOfLoader(WaitGraph graph, IReadOnlyList<WaitNode> cycle)
    {
        WaitNode[] locks = [.. cycle.Where(node => node.Lock is not null)];
        return locks.Length > 0
            && locks.All(node => node.Lock!.Kind.IsOfLoader())
            && locks.SelectMany(graph.From).Select(edge => edge.To).Distinct().Count() == 1;
    }
}
