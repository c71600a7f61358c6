using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>Goes from an object that shall be collected to what leads to it, one search of the heap a round, up to what keeps it.</summary>
internal sealed class KeeperSearch(ClrRuntime runtime, RuntimeRoots roots, CaptureContext context)
{
    private const string What = "what keeps the object";
    private const int MostRounds = 24;
    private const int MostNodes = 500_000;
    private const int MostOfPath = 12;

    private readonly KeeperRoots _keepers = new(runtime, roots, context);
    private readonly ReferrerScan _scan = new(runtime, roots.Pointers, roots.Referrers, context);

    /// <param name="target">The object.</param>
    /// <param name="unloading">The same, where it is a context that unloads.</param>
    public Known<KeeperFacts> Of(ulong target, LoadContext? unloading)
    {
        if (unloading is not null && _keepers.RunnerOf(unloading) is { } runner)
        {
            return Known.Derived(runner);
        }

        Dictionary<ulong, ulong> towards = Starts(target, unloading).ToDictionary(start => start, _ => 0UL);
        List<ulong> front = [.. towards.Keys];
        for (int round = 0; front.Count > 0 && round < MostRounds && towards.Count < MostNodes; round++)
        {
            context.Step();
            context.Progress?.Report($"what keeps an object: heap search {round + 1}");
            if (KeeperAmong(front, towards, unloading is null ? 0 : target) is { } keeper)
            {
                return Known.Derived(keeper);
            }

            front = Next(front, towards);
        }

        return Known.Unknown<KeeperFacts>(What, front.Count > 0 || _scan.IsIncomplete || unloading is { IsCut: true }
            ? "not all that leads to it was searched"
            : "nothing was found that leads to it: the next collection may take it");
    }

    private HashSet<ulong> Starts(ulong target, LoadContext? unloading)
    {
        HashSet<ulong> starts = [target];
        if (unloading is { AllocatorHandle: not 0 })
        {
            HeapWalk.Run(runtime, context, unloading);
            starts.UnionWith(unloading.Objects);
            if (runtime.DataTarget.DataReader.ReadPointer(unloading.AllocatorHandle, out ulong allocator) && allocator != 0)
            {
                starts.Add(allocator);
            }
        }

        return starts;
    }

    private KeeperFacts? KeeperAmong(List<ulong> front, Dictionary<ulong, ulong> towards, ulong own)
        => front
            .Select(address => _keepers.Of(runtime.Heap.GetObject(address), towards[address], address == own) is { } keeper ? keeper with { Path = PathFrom(address, towards) } : null)
            .OfType<KeeperFacts>()
            .OrderBy(keeper => keeper.By == FlowRoot.Thread ? 0 : 1)
            .FirstOrDefault();

    private List<ulong> Next(List<ulong> front, Dictionary<ulong, ulong> towards)
    {
        List<ulong> next = [];
        foreach ((ClrObject referrer, ulong target) in _scan.Find([.. front]))
        {
            if (towards.TryAdd(referrer.Address, target))
            {
                next.Add(referrer.Address);
            }
        }

        foreach (ulong value in front)
        {
            next.AddRange(_keepers.KeysOf(value).Where(key => key != 0 && towards.TryAdd(key, value)));
        }

        return next;
    }

    private List<string> PathFrom(ulong keeper, Dictionary<ulong, ulong> towards)
    {
        List<string> path = [];
        for (ulong at = keeper; at != 0 && path.Count < MostOfPath; at = towards[at])
        {
            ClrObject found = runtime.Heap.GetObject(at);
            string? field = FieldNames.ReferencesOf(at, found.Type).FirstOrDefault(reference => reference.Address == towards[at] && towards[at] != 0).Name;
            if ((field ?? found.Type?.Name) is { } name && !(at == keeper && name == "System.Object[]"))
            {
                path.Add(context.Limits.Cut(name));
            }
        }

        return path;
    }
}
