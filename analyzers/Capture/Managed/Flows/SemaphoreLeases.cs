using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Finds what an async method has, to give an entry of a semaphore back with: the result of a method that waits for the semaphore, as
/// <c>using var pass = await gate.EnterAsync()</c> has it. The compiler clears the variable when it has been disposed of.
/// </summary>
internal sealed class SemaphoreLeases
{
    private const int MostFlows = 20_000;
    private const string Semaphore = "System.Threading.SemaphoreSlim";

    // What a method returns that does not say what is disposed of.
    private static readonly string[] s_interfaces = ["<System.IDisposable>", "<System.IAsyncDisposable>"];

    private readonly ClrHeap _heap;
    private readonly Dictionary<ulong, Lease[]> _leases = [];
    private readonly Dictionary<ClrType, bool?> _disposed = [];
    private readonly Lazy<ILookup<ulong, (FlowBox Flow, Lease Lease)>> _all;

    /// <param name="heap">The heap.</param>
    /// <param name="boxes">The async methods.</param>
    public SemaphoreLeases(ClrHeap heap, FlowBoxes boxes)
    {
        _heap = heap;
        _all = new(() => boxes.All.Where(box => box.State >= 0).Take(MostFlows)
            .SelectMany(box => LeasesOf(box).Select(lease => (Flow: box, Lease: lease)))
            .ToLookup(pair => pair.Lease.Semaphore));
    }

    /// <summary>Those that have one of the semaphore, and the variable.</summary>
    /// <param name="semaphore">The semaphore.</param>
    /// <param name="waiting">The types of the boxes of methods that wait for it: they name what these return.</param>
    public IEnumerable<(FlowBox Flow, string Variable)> HoldersOf(ulong semaphore, IReadOnlyCollection<string> waiting)
        => _all.Value[semaphore].Where(pair => IsResult(pair.Lease.Type, waiting)).Select(pair => (pair.Flow, pair.Lease.Variable));

    /// <summary>The variable; null where the method has none.</summary>
    /// <param name="flow">The async method.</param>
    /// <param name="semaphore">The semaphore.</param>
    /// <param name="waiting">The types of the boxes of methods that wait for it: they name what these return.</param>
    public string? VariableOf(FlowBox flow, ulong semaphore, IReadOnlyCollection<string> waiting)
        => LeasesOf(flow).FirstOrDefault(lease => lease.Semaphore == semaphore && IsResult(lease.Type, waiting))?.Variable;

    /// <summary>The name of the box's type: it names what the method returns.</summary>
    public string TypeOf(FlowBox flow) => _heap.GetObject(flow.Address).Type?.Name ?? string.Empty;

    // Those that wait have callers in common.
    private Lease[] LeasesOf(FlowBox flow)
    {
        ref Lease[]? leases = ref CollectionsMarshal.GetValueRefOrAddDefault(_leases, flow.Address, out _);
        return leases ??= [.. OfObjects(flow).Concat(OfStructures(flow))];
    }

    private IEnumerable<Lease> OfObjects(FlowBox flow)
        => from variable in FlowVariables.Of(_heap, flow)
           where variable.Name != FlowVariables.This
           let held = _heap.GetObject(variable.Address)
           where IsDisposed(held.Type)
           let semaphore = SemaphoreOf([.. ObjectFields.ReferencesOf(held)])
           where semaphore is not null
           select new Lease(semaphore.Value, held.Type!, FieldNames.Plain(variable.Name));

    private IEnumerable<Lease> OfStructures(FlowBox flow)
        => from held in FlowVariables.StructuresOf(_heap, flow)
           where IsDisposed(held.Type)
           let semaphore = SemaphoreOf([.. held.Parts])
           where semaphore is not null
           select new Lease(semaphore.Value, held.Type, FieldNames.Plain(held.Name));

    private static bool IsResult(ClrType type, IReadOnlyCollection<string> waiting)
        => waiting.Any(box => box.Contains($"<{type.Name}>", StringComparison.Ordinal)
            || s_interfaces.Any(name => box.Contains(name, StringComparison.Ordinal)));

    private bool IsDisposed(ClrType? type)
    {
        if (type?.Name is not { } name || Frameworks.IsOfBaseLibrary(name))
        {
            return false;
        }

        ref bool? isDisposed = ref CollectionsMarshal.GetValueRefOrAddDefault(_disposed, type, out _);
        return isDisposed ??= type.EnumerateInterfaces().Any(found => found.Name is "System.IDisposable" or "System.IAsyncDisposable");
    }

    // It has the semaphore itself, or the lock that has it; of several semaphores it is not known which.
    private static ulong? SemaphoreOf(IReadOnlyList<ClrObject> parts)
    {
        ulong[] own = SemaphoresIn(parts);
        ulong[] found = own.Length > 0 ? own
            : SemaphoresIn(parts.Where(part => part.Type?.Name is { } name && !Frameworks.IsOfBaseLibrary(name)).SelectMany(ObjectFields.ReferencesOf));
        return found is [var only] ? only : null;
    }

    private static ulong[] SemaphoresIn(IEnumerable<ClrObject> parts)
        => [.. parts.Where(part => part.Type?.Name == Semaphore).Select(part => part.Address).Distinct()];

    private sealed record Lease(ulong Semaphore, ClrType Type, string Variable);
}
