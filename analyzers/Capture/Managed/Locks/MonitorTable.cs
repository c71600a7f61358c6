using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>The runtime's sync blocks. A thread that blocks on a monitor always does so in one: its lock was inflated.</summary>
internal sealed class MonitorTable
{
    private readonly Dictionary<int, MonitorEntry> _byIndex = [];
    private readonly Dictionary<ulong, MonitorEntry> _byObject = [];

    public IReadOnlyCollection<MonitorEntry> Entries => _byIndex.Values;

    public MonitorEntry? ByIndex(int index) => _byIndex.GetValueOrDefault(index);

    public MonitorEntry? ByObject(ulong address) => _byObject.GetValueOrDefault(address);

    public static Known<MonitorTable> Read(ClrRuntime runtime, CaptureContext context)
    {
        MonitorTable table = new();
        int held = 0;
        int present = 0;
        foreach (SyncBlock block in runtime.Heap.EnumerateSyncBlocks())
        {
            if (table._byIndex.Count >= context.Limits.ManagedLocks)
            {
                return Known.Unknown<MonitorTable>("monitors", $"more sync blocks than the limit of {context.Limits.ManagedLocks}");
            }

            context.Step();
            // A block that was made for a hash code or for COM and never locked needs no name: reading it costs time.
            string? type = block.IsMonitorHeld ? TypeName(runtime, block.Object, context) : null;
            held += block.IsMonitorHeld ? 1 : 0;
            present += block.IsMonitorHeld && runtime.DataTarget.DataReader.ReadPointer(block.Object, out _) ? 1 : 0;
            MonitorEntry entry = new(block.Index, block.Object, type, block);
            table._byIndex[block.Index] = entry;
            table._byObject[block.Object] = entry;
        }

        return held > 0 && present == 0
            ? Known.Unknown<MonitorTable>("monitors", $"none of the {held} objects that are locked is in the input")
            : Known.Read(table);
    }

    public static string? TypeName(ClrRuntime runtime, ulong address, CaptureContext context)
        => context.Limits.Cut(address == 0 ? null : runtime.Heap.GetObjectType(address)?.Name);
}
