using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// Every handle of the runtime. The server's garbage collector makes a table of handles for each processor, and up to .NET 10 the DAC
/// reads as many of them as there are heaps, which are fewer where the collector adapts their number (DATAS, the default since .NET 9;
/// dotnet/runtime issue 124872). Those that it leaves out are read here.
/// </summary>
internal static class HandleTables
{
    // Fixed in .NET 11.
    private const int LastOfFewerTables = 10;

    /// <summary>Both kinds, each once.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="areAll">False where there are tables that were not found.</param>
    public static IEnumerable<RuntimeHandle> Read(ClrRuntime runtime, out bool areAll)
    {
        HandleTable[]? tables = MayLack(runtime) ? Tables(runtime) : [];
        areAll = tables is not null;
        RuntimeHandle[] others = [.. (tables ?? []).SelectMany(table => table.Handles(runtime.Heap))];
        return runtime.EnumerateHandles().Select(RuntimeHandle.Of).Concat(others);
    }

    /// <inheritdoc cref="Read(ClrRuntime, out bool)"/>
    public static IEnumerable<RuntimeHandle> Read(ClrRuntime runtime) => Read(runtime, out _);

    private static bool MayLack(ClrRuntime runtime)
        => runtime.Heap.IsServer
            && runtime.ClrInfo is { Flavor: ClrFlavor.Core, Version.Major: <= LastOfFewerTables }
            && runtime.DataTarget.DataReader.PointerSize == sizeof(ulong);

    // Null where they cannot be found.
    private static HandleTable[]? Tables(ClrRuntime runtime)
    {
        // What is looked at may be anything: that it is missing, or zero, says nothing of the input.
        IDataReader reader = IWatchedReader.Guessing(runtime.DataTarget.DataReader);
        HashSet<ulong> known = [.. runtime.EnumerateHandles().Select(handle => HandleTable.SegmentOf(handle.Address))];
        if (known.Select(segment => HandleTable.OfSegment(reader, segment)).FirstOrDefault(table => table is not null) is not { } first)
        {
            return null;
        }

        return runtime.DataTarget.EnumerateModules()
            .Where(module => module.ImageBase == runtime.ClrInfo.ModuleInfo.ImageBase || IsCollector(module.FileName))
            .Select(module => new HandleTableMap(reader, module).Find(first.Address))
            .FirstOrDefault(found => found is not null)
            ?.Select(address => HandleTable.At(reader, address)!)
            .Where(table => !known.Contains(table.FirstSegment))
            .ToArray();
    }

    private static bool IsCollector(string? file)
        => Path.GetFileNameWithoutExtension(file ?? string.Empty).Contains("clrgc", StringComparison.OrdinalIgnoreCase);
}
