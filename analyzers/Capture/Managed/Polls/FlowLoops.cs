using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Tells async methods that wait again and again from those that wait for one answer, those that take a lock from those that await a
/// signal, and those that try again after a failure.
/// </summary>
internal sealed class FlowLoops(IlModules modules, ClrHeap heap)
{
    private readonly SemaphoreUse _semaphores = new(modules);
    private readonly LoopEnds _ends = new(modules);
    private readonly FlowFailures _failures = new(modules, heap);

    /// <summary>The facts of the groups, with what was found out.</summary>
    /// <param name="facts">What is known of the groups, in their order.</param>
    /// <param name="inventory">The groups.</param>
    public FlowsFacts Add(FlowsFacts facts, FlowInventory inventory)
    {
        // What a service does again and again matters to a host that is to stop.
        bool isStopping = facts.Groups.Any(group => group.Method == HostCalls.Stop);
        if (!isStopping && !facts.Groups.Any(group => IsAsked(group) || IsDelayed(group)))
        {
            return facts;
        }

        FlowChains chains = new(inventory.Boxes, heap);
        HashSet<string> own = [.. facts.Groups.Where(group => group.Source is not null).Select(group => group.Method)];
        return facts with
        {
            Groups =
            [
                .. facts.Groups.Select((group, index) => IsAsked(group) ? WithLoop(group, inventory.Groups[index].Sample, chains, own)
                    : IsDelayed(group) ? group with { TriesAgainAfter = FailureOf(inventory.Groups[index].Sample, chains) }
                    : group)
                    .Select((group, index) => IsSemaphore(group)
                        ? group with { Releases = _semaphores.IsGivenBack(inventory.Groups[index].Sample) } : group)
                    .Select((group, index) => isStopping && !Frameworks.IsOwn(group.Method) ? group with { LoopEnd = _ends.Of(inventory.Groups[index].Sample) } : group),
            ],
        };
    }

    private static bool IsSemaphore(FlowGroup group) => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.Semaphore };

    private static bool IsDelayed(FlowGroup group) => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.Delay };

    // The one that waits, or the next of those that await it.
    private string? FailureOf(FlowBox sample, FlowChains chains)
        => chains.Of(sample, out _).Prepend(sample).Select(_failures.Of).FirstOrDefault(found => found is not null);

    private static bool IsAsked(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.InputOutput or FlowWaitKind.Custom or FlowWaitKind.Semaphore }
            || (group.State == FlowState.Suspended
                && group.Waits.Kind is FlowWaitKind.Task or FlowWaitKind.WhenAny or FlowWaitKind.Channel or FlowWaitKind.Pipe
                && !Frameworks.IsOfBaseLibrary(group.Method));

    private FlowGroup WithLoop(FlowGroup group, FlowBox sample, FlowChains chains, HashSet<string> own)
    {
        bool? known = null;
        bool isOfLibrary = IsOfLibrary(sample);
        foreach (FlowBox flow in chains.Of(sample, out bool isCut).Prepend(sample))
        {
            // A client goes round until it is connected, or has its answer.
            if ((isOfLibrary && IsOfLibrary(flow)) || flow.Method is not { MoveNextToken: not 0 and int token } method || modules.Of(method.Machine) is not { } module)
            {
                continue;
            }

            IReadOnlyList<IlInstruction> body = module.Body(token);
            if (FlowPolls.AwaitOf(module, body, flow.State) is not { } at || isCut)
            {
                return group with { IsInLoop = known == true ? true : null };
            }

            if (!IlBounds.EndsByItself(module, body, at))
            {
                return group with { IsInLoop = true };
            }

            known = known == true || IlLoops.Around(body, at) is not null;
        }

        return group with { IsInLoop = known, IsLoopBounded = known == true };

        bool IsOfLibrary(FlowBox flow) => flow.Method is { Name: { } name } && (OutsideCall.ClientOf(name) is not null || (own.Count > 0 && !own.Contains(name)));
    }
}
