using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Gathers the hosts (Microsoft.Extensions.Hosting), each of which calls what starts its services once.</summary>
/// <remarks>
/// dotnet/runtime, Host.cs (8.0 to 10.0): _hostedServices, an array or a list, and ApplicationLifetime.cs: _startedSource is cancelled when
/// all have started.
/// </remarks>
internal sealed class HostVisitor : IHeapVisitor
{
    private const int MostHosts = 64;
    private const int MostServices = 1_024;
    private const int MostBases = 16;
    private const int NotCancelled = 0;

    private static readonly string[] s_starting = ["StartingAsync", "StartAsync", "StartedAsync"];

    private readonly List<ulong> _hosts = [];

    public bool Wants(ClrType type) => type.Name == HostCalls.Host;

    public void Visit(HeapObject found)
    {
        if (_hosts.Count < MostHosts)
        {
            _hosts.Add(found.Address);
        }
    }

    /// <summary>What the hosts that have started have called of their services, and will not call again.</summary>
    public IEnumerable<ClrMethod> Begun(ClrHeap heap)
        => _hosts.Select(heap.GetObject).Where(HasStarted)
            .SelectMany(ServicesOf).Select(service => service.Type).OfType<ClrType>().DistinctBy(type => type.MethodTable)
            .SelectMany(type => type.WithBases(MostBases)).SelectMany(type => type.Methods).Where(Starts);

    private static bool HasStarted(ClrObject host)
        => host.Reference("_applicationLifetime").Reference("_startedSource").Number("_state") is { } state && state != NotCancelled;

    private static IEnumerable<ClrObject> ServicesOf(ClrObject host)
    {
        ClrObject services = host.Reference("_hostedServices");
        ClrObject items = services.IsNull || services.IsArray ? services : services.Reference("_items");
        return items.IsNull ? [] : items.EnumerateReferences(carefully: true).Take(MostServices);
    }

    // One that is explicitly the interface's has its name before its own.
    private static bool Starts(ClrMethod method)
        => method.Name is { } name
            && Array.Exists(s_starting, start => name == start || name.EndsWith('.' + start, StringComparison.Ordinal));
}
