using System.Reflection.Metadata;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>The suspended async methods, and what they can still come to from the await that they are at.</summary>
internal sealed class SuspendedFlows
{
    private readonly List<(FlowBox Flow, IlModule Module, int? Place, IReadOnlyList<IlInstruction> Left)> _flows = [];
    private readonly Dictionary<ulong, ulong> _awaitedBy = [];
    private readonly CallGraph _graph;

    public SuspendedFlows(IReadOnlyList<FlowGrouping> groups, IlModules modules, CallGraph graph)
    {
        _graph = graph;
        foreach (FlowBox flow in groups.Select(group => group.Sample))
        {
            if (flow.Awaited != 0)
            {
                _awaitedBy.TryAdd(flow.Awaited, flow.Address);
            }

            if (flow.Method is { MoveNextToken: not 0 and int token } method && modules.Of(method.Machine) is { } module)
            {
                int? place = PlaceOf(module, token, flow.State);
                _flows.Add((flow, module, place, place is { } at ? [.. IlReach.From(module, token, at)] : module.Body(token)));
            }
        }
    }

    /// <summary>One of them, that does not wait for this loop itself, can come to one of these methods or write the field.</summary>
    public bool CanCome(Poll poll, HashSet<string> leading, string[] fields)
    {
        HashSet<ulong> behind = Behind(poll.Flow);
        return Coming((module, method, instruction)
                => _graph.Leads(module, method, instruction, leading) || BringerSearch.Writes(module, instruction, fields))
            .Any(flow => !behind.Contains(flow.Address));
    }

    /// <summary>Those that can come to an instruction for which this holds; each stands for all of its group.</summary>
    /// <param name="isOne">Whether an instruction, of a module's method, is one.</param>
    /// <param name="entries">They get no further than these, but those that are past one already; null where they can past all.</param>
    public IEnumerable<FlowBox> Coming(Func<IlModule, int, IlInstruction, bool> isOne, EntryCalls? entries = null)
        => _flows.Where(flow => (entries is not null && flow.Place is { } place ? Left(flow.Flow, flow.Module, place, entries) : flow.Left)
                .Any(instruction => isOne(flow.Module, flow.Flow.Method!.MoveNextToken, instruction)))
            .Select(flow => flow.Flow);

    // Who waits at an entry goes on behind it when he has been given one; before, only where the wait is called off.
    private static IEnumerable<IlInstruction> Left(FlowBox flow, IlModule module, int place, EntryCalls entries)
    {
        int method = flow.Method!.MoveNextToken;
        return FlowPolls.AwaitOf(module, module.Body(method), flow.State) is { } at && entries.IsAt(module, method, at)
            ? IlReach.Failing(module, method, at, entries.Contains)
            : IlReach.From(module, method, place, entries.Contains);
    }

    /// <summary>The same for those that only end the program behind their loops: what they do in these.</summary>
    public IEnumerable<FlowBox> ComingInLoops(Func<IlModule, int, IlInstruction, bool> isOne)
        => _flows.Where(flow => flow.Place is not { } place
            || (IlLoops.AllAround(flow.Module.Body(flow.Flow.Method!.MoveNextToken), place) is { } loop
                && IlLoops.In(flow.Module.Body(flow.Flow.Method!.MoveNextToken), loop)
                    .Any(instruction => isOne(flow.Module, flow.Flow.Method!.MoveNextToken, instruction))))
            .Select(flow => flow.Flow);

    /// <summary>Those that come to such a call on every way that they can take from the await that they are at.</summary>
    public IEnumerable<FlowBox> Surely(SureCalls sure)
        => _flows.Where(flow => flow.Place is { } place && sure.Comes(flow.Module, flow.Flow.Method!.MoveNextToken, place) == true)
            .Select(flow => flow.Flow);

    /// <summary>
    /// Where the method continues: it left where it was suspended, and comes back behind that. Null where that is not found.
    /// </summary>
    public static int? PlaceOf(IlModule module, int method, int state)
    {
        IReadOnlyList<IlInstruction> body = module.Body(method);
        return FlowPolls.AwaitOf(module, body, state) is { } at
            && body.FirstOrDefault(instruction => instruction.Offset >= at && instruction.Code is ILOpCode.Leave or ILOpCode.Leave_s or ILOpCode.Ret) is { End: > 0 and int end }
                ? end
                : null;
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
