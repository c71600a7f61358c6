using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Tells async methods that wait again and again from those that wait for one answer, and those that take a lock from those that await a signal.</summary>
internal sealed class FlowLoops(IlModules modules, ClrHeap heap)
{
    private readonly SemaphoreUse _semaphores = new(modules);

    /// <summary>The facts of the groups, with what was found out.</summary>
    /// <param name="facts">What is known of the groups, in their order.</param>
    /// <param name="inventory">The groups.</param>
    public FlowsFacts Add(FlowsFacts facts, FlowInventory inventory)
    {
        if (!facts.Groups.Any(group => IsAsked(group) || IsSemaphore(group)))
        {
            return facts;
        }

        FlowChains chains = new(inventory.Boxes, heap);
        HashSet<string> own = [.. facts.Groups.Where(group => group.Source is not null).Select(group => group.Method)];
        return facts with
        {
            Groups =
            [
                .. facts.Groups.Select((group, index) => IsAsked(group) ? group with { IsInLoop = Of(inventory.Groups[index].Sample, chains, own) }
                    : IsSemaphore(group) ? group with { Releases = _semaphores.IsGivenBack(inventory.Groups[index].Sample) }
                    : group),
            ],
        };
    }

    private static bool IsSemaphore(FlowGroup group) => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.Semaphore };

    private static bool IsAsked(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.InputOutput or FlowWaitKind.Custom }
            || (group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.Task or FlowWaitKind.WhenAny } && !Frameworks.IsOfBaseLibrary(group.Method));

    /// <param name="sample">The flow.</param>
    /// <param name="chains">Who awaits whom.</param>
    /// <param name="own">The program's own methods, as far as their source lines are known.</param>
    private bool? Of(FlowBox sample, FlowChains chains, HashSet<string> own)
    {
        bool? known = null;
        bool isOfLibrary = IsOfLibrary(sample);
        foreach (FlowBox flow in chains.Of(sample, out bool isCut).Prepend(sample))
        {
            // A client goes round until it is connected, or has its answer.
            if (isOfLibrary && IsOfLibrary(flow))
            {
                continue;
            }

            if (flow.Method is not { MoveNextToken: not 0 and int token } method || modules.Of(method.Machine) is not { } module)
            {
                continue;
            }

            IReadOnlyList<IlInstruction> body = module.Body(token);
            if (FlowPolls.AwaitOf(module, body, flow.State) is not { } at || isCut)
            {
                return null;
            }

            if (IlLoops.Around(body, at) is not null)
            {
                return true;
            }

            known = false;
        }

        return known;

        bool IsOfLibrary(FlowBox flow) => flow.Method is { Name: { } name } && (OutsideCall.ClientOf(name) is not null || (own.Count > 0 && !own.Contains(name)));
    }
}
