using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Locks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// A collectible AssemblyLoadContext that was told to unload. The runtime keeps it by a handle of its own until the LoaderAllocator of its
/// assemblies is collected, to which everything of them leads: objects and types, and frames of their methods.
/// </summary>
/// <remarks>dotnet/runtime: AssemblyLoadContext.cs (_state), LoaderAllocator.cs; tried on .NET 10.</remarks>
internal sealed class LoadContext : IHeapVisitor
{
    private const string TypeName = "System.Runtime.Loader.AssemblyLoadContext";
    private const int Unloading = 1;
    private const int MostObjects = 100_000;

    private readonly ulong _context;

    private LoadContext(ulong context, ulong allocatorHandle)
    {
        _context = context;
        AllocatorHandle = allocatorHandle;
    }

    /// <summary>Where the runtime keeps the address of the LoaderAllocator; 0 where no type of the context's was found.</summary>
    public ulong AllocatorHandle { get; }

    /// <summary>The objects of its types, found by a walk over the heap.</summary>
    public HashSet<ulong> Objects { get; } = [];

    /// <summary>There are more of them than are kept.</summary>
    public bool IsCut { get; private set; }

    /// <summary>Null for another object, and for a context that was not told to unload.</summary>
    public static LoadContext? Of(ClrObject found, ClrRuntime runtime, CaptureContext context)
        => StackObjects.Is(found, TypeName) && found.Type!.GetFieldByName("_state") is { } state && state.Read<int>(found.Address, interior: false) == Unloading
            ? new LoadContext(found.Address, AllocatorOf(found.Address, runtime, context))
            : null;

    public bool Has(ClrType? type) => AllocatorHandle != 0 && type?.LoaderAllocatorHandle == AllocatorHandle;

    public bool Wants(ClrType type) => Has(type);

    public void Visit(HeapObject found)
    {
        IsCut |= Objects.Count == MostObjects;
        if (!IsCut)
        {
            Objects.Add(found.Address);
        }
    }

    private static ulong AllocatorOf(ulong loadContext, ClrRuntime runtime, CaptureContext context)
    {
        foreach (ClrModule module in runtime.EnumerateModules())
        {
            context.Step();
            foreach ((ulong table, int _) in module.EnumerateTypeDefToMethodTableMap().Take(1))
            {
                if (runtime.GetTypeByMethodTable(table) is { IsCollectible: true } type && type.AssemblyLoadContextAddress == loadContext)
                {
                    return type.LoaderAllocatorHandle;
                }
            }
        }

        return 0;
    }
}
