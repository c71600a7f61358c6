using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still come to an instruction that uses a static field, by all calls of the program's own code.</summary>
internal sealed class StaticUsers(
    IReadOnlyList<ClrThread> threads, ThreadFrames walked, IlModules modules, ProgramCode code, IReadOnlyList<FlowGrouping> flows,
    DelegateVisitor delegates, StaticSlots slots)
{
    private const int MostFields = 256;
    private const int MostBoxes = 1024;

    private readonly Dictionary<string, StaticUse> _known = new(StringComparer.Ordinal);
    private readonly Dictionary<ulong, FlowGrouping> _groups = flows.ToDictionary(group => group.Sample.Address);

    /// <param name="array">One of the arrays in which the runtime keeps static fields.</param>
    /// <param name="target">The object that it holds.</param>
    /// <returns>Null where the fields are not all known, or somebody may use one that is not: then anybody can.</returns>
    public StaticUse? Of(ClrObject array, ulong target)
    {
        if (slots.FieldsOf(array, target) is not { } fields)
        {
            return null;
        }

        StaticUse[] uses = [.. fields.Select(Of)];
        return uses.Any(use => use.IsOpen) ? null
            : new StaticUse
            {
                Methods = [.. uses.SelectMany(use => use.Methods).Distinct()],
                Givers = [.. uses.SelectMany(use => use.Givers).Distinct()],
                By = [.. uses.SelectMany(use => use.By).Distinct()],
            };
    }

    private StaticUse Of(string field)
    {
        if (!_known.TryGetValue(field, out StaticUse? use))
        {
            use = _known.Count < MostFields ? Search(field) : StaticUse.Open;
            _known.Add(field, use);
        }

        return use;
    }

    private StaticUse Search(string field)
    {
        IReadOnlyCollection<string> users = code.Graph.UsersOf(field);
        HashSet<string> leading = code.Graph.LeadingTo(users);
        if (leading.Any(method => method[0] is not ('#' or '@') && code.Graph.IsOpen(method)))
        {
            return StaticUse.Open;
        }

        HashSet<ulong> by =
        [
            .. threads.Where(thread => BringerSearch.CanCome(thread, walked, modules, leading, Uses)).Select(thread => thread.Address),
        ];
        foreach (FlowBox flow in code.Flows.Coming((module, method, instruction)
            => CallGraph.Leads(module, instruction, leading) || Uses(module, method, instruction)))
        {
            if (_groups[flow.Address].Boxes.Count > MostBoxes)
            {
                return StaticUse.Open;
            }

            by.UnionWith(_groups[flow.Address].Boxes);
        }

        foreach (ulong found in delegates.Found.Where(found => code.Search.NameOf(found) is { } method && leading.Contains(method)))
        {
            if (delegates.IsOfMany(found))
            {
                return StaticUse.Open;
            }

            by.Add(found);
        }

        return new StaticUse { Methods = [.. users], Givers = [.. code.Graph.GiversOf(field)], By = [.. by] };

        bool Uses(IlModule module, int method, IlInstruction instruction) => code.Graph.Uses(module, method, instruction, field);
    }
}
