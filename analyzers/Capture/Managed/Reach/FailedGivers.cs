using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Finds the waits that only async methods could end which have ended with an exception: a consumer that has died of one bad message.
/// </summary>
internal sealed class FailedGivers
{
    private readonly ReachSearch _search;
    private readonly ReachSignals _signals;
    private readonly Func<ProgramUsers?> _users;
    private readonly Lazy<Dictionary<string, FailedGiver>> _failed;

    /// <param name="search">Who leads to what, when the search has ended.</param>
    /// <param name="signals">By which code waits are ended.</param>
    /// <param name="flows">The async methods.</param>
    /// <param name="stacks">The threads.</param>
    /// <param name="users">The instructions of the program; null where they are not known.</param>
    /// <param name="failed">What has ended with an exception; null where that is not known.</param>
    public FailedGivers(
        ReachSearch search, ReachSignals signals, FlowInventory flows, IReadOnlyList<ThreadStack> stacks, Func<ProgramUsers?> users,
        IReadOnlyList<FailedWork>? failed)
    {
        _search = search;
        _signals = signals;
        _users = users;
        _failed = new(() => failed is { Count: > 0 } && users() is { } known ? Find(known, flows, stacks, failed) : []);
    }

    /// <summary>The consumers that have failed, and that nobody begins again.</summary>
    public IReadOnlyList<FailedGiver> All => [.. _failed.Value.Values];

    /// <summary>Of several objects one that nobody will signal is enough.</summary>
    public FailedGiver? Of(IReadOnlyList<int> nodes)
        => _failed.Value.Count == 0 || _users() is not { } users ? null
            : nodes.Select(node => Of(node, users)).FirstOrDefault(found => found is not null);

    private FailedGiver? Of(int node, ProgramUsers users)
    {
        string[] givers = [.. (_signals.SitesOf(node, users) ?? []).Where(method => !IsOfLibrary(method, users.Graph))];
        return givers.Length > 0 && Array.TrueForAll(givers, _failed.Value.ContainsKey) ? _failed.Value[givers[0]] : null;
    }

    // A library does not know the program's own types.
    private static bool IsOfLibrary(string method, CallGraph graph)
        => graph.PlacesOf(method) is { Count: > 0 } places && places.All(place => graph.Libraries.Contains(place.Module));

    // By the name of the method that has their instructions.
    private static Dictionary<string, FailedGiver> Find(
        ProgramUsers users, FlowInventory flows, IReadOnlyList<ThreadStack> stacks, IReadOnlyList<FailedWork> all)
    {
        HashSet<string> alive =
        [
            .. flows.Boxes.All.Where(flow => flow.State >= 0).Select(flow => flow.Method?.Machine.Name).OfType<string>()
                .Select(machine => $"{machine}.MoveNext"),
            .. stacks.SelectMany(stack => stack.Frames).Select(frame => frame.Method).OfType<ClrMethod>()
                .Select(method => $"{method.Type?.Name}.{method.Name}"),
        ];
        return all
            .Where(work => !alive.Contains(work.FullName))
            .Select(work => (Name: NameBrackets.Without(work.FullName), Work: work))
            .Where(pair => users.Graph.PlacesOf(pair.Name).Count > 0 && users.Hands.Consumes(pair.Name) && !users.MayBegin(pair.Name))
            .DistinctBy(pair => pair.Name)
            .ToDictionary(pair => pair.Name, pair => new FailedGiver(pair.Work.Method, pair.Work.Exception), StringComparer.Ordinal);
    }
}
