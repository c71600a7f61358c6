using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>The suspended async methods, and what they can still come to from the await that they are at.</summary>
internal sealed class SuspendedFlows
{
    private readonly List<(FlowBox Flow, IlModule Module, IReadOnlyList<IlInstruction> Left)> _flows = [];
    private readonly Dictionary<ulong, ulong> _awaitedBy = [];

    public SuspendedFlows(IReadOnlyList<FlowGrouping> groups, IlModules modules)
    {
        foreach (FlowBox flow in groups.Select(group => group.Sample))
        {
            if (flow.Awaited != 0)
            {
                _awaitedBy.TryAdd(flow.Awaited, flow.Address);
            }

            if (flow.Method is { MoveNextToken: not 0 and int token } method && modules.Of(method.Machine) is { } module)
            {
                _flows.Add((flow, module, RestOf(module, token, flow.State)));
            }
        }
    }

    /// <summary>One of them, that does not wait for this loop itself, can come to one of these methods or write the field.</summary>
    public bool CanCome(Poll poll, HashSet<string> leading, string[] fields)
    {
        HashSet<ulong> behind = Behind(poll.Flow);
        return Coming((module, _, instruction)
                => CallGraph.Leads(module, instruction, leading) || BringerSearch.Writes(module, instruction, fields))
            .Any(flow => !behind.Contains(flow.Address));
    }

    /// <summary>Those that can come to an instruction for which this holds; each stands for all of its group.</summary>
    public IEnumerable<FlowBox> Coming(Func<IlModule, int, IlInstruction, bool> isOne)
        => _flows.Where(flow => flow.Left.Any(instruction => isOne(flow.Module, flow.Flow.Method!.MoveNextToken, instruction)))
            .Select(flow => flow.Flow);

    // It left the method where it was suspended, and comes back behind that.
    private static IReadOnlyList<IlInstruction> RestOf(IlModule module, int method, int state)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        return FlowPolls.AwaitOf(module, body, state) is { } at
            && body.FirstOrDefault(instruction => instruction.Offset >= at && instruction.Code is ILOpCode.Leave or ILOpCode.Leave_s or ILOpCode.Ret) is { End: > 0 and int end }
                ? [.. IlReach.From(module, method, end)]
                : body;
    }

    private HashSet<ulong> Behind(ulong flow)
    {
        HashSet<ulong> behind = [];
        for (ulong next = flow; next != 0 && behind.Add(next);)
        {
            next = _awaitedBy.GetValueOrDefault(next);
        }

        return behind;
    }
}
