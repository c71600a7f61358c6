using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Tells async methods that wait again and again from those that wait for one answer.</summary>
internal sealed class FlowLoops(IlModules modules, ClrHeap heap)
{
    /// <summary>The facts of the groups, with what was found out.</summary>
    /// <param name="facts">What is known of the groups, in their order.</param>
    /// <param name="inventory">The groups.</param>
    public FlowsFacts Add(FlowsFacts facts, FlowInventory inventory)
    {
        if (!facts.Groups.Any(IsAsked))
        {
            return facts;
        }

        FlowChains chains = new(inventory.Boxes, heap);
        return facts with
        {
            Groups = [.. facts.Groups.Select((group, index) => IsAsked(group) ? group with { IsInLoop = Of(inventory.Groups[index].Sample, chains) } : group)],
        };
    }

    private static bool IsAsked(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.InputOutput or FlowWaitKind.Custom }
            || (group is { State: FlowState.Suspended, Waits.Kind: FlowWaitKind.Task } && OutsideCall.ClientOf(group.Method) is not null);

    private bool? Of(FlowBox sample, FlowChains chains)
    {
        bool? known = null;
        bool isOfClient = sample.Method is { Name: { } name } && OutsideCall.ClientOf(name) is not null;
        foreach (FlowBox flow in chains.Of(sample, out bool isCut).Prepend(sample))
        {
            // A client goes round until it is connected, or has its answer.
            if (isOfClient && flow.Method is { Name: { } own } && OutsideCall.ClientOf(own) is not null)
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

            if (LoopScan.Around(body, at) is not null)
            {
                return true;
            }

            known = false;
        }

        return known;
    }
}
