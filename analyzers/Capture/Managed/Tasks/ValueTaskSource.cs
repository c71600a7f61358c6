using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>Reads ManualResetValueTaskSourceCore, which a pooled async method completes: its one continuation and where that has to run.</summary>
internal static class ValueTaskSource
{
    public static bool IsCompleted(ClrObject box)
        => Core(box) is { Field: { } core, Address: ulong address }
            && core.Type?.GetFieldByName("_completed") is { } completed
            && completed.Read<bool>(address, interior: true);

    /// <summary>What is awaiting it; a null object where nothing is.</summary>
    public static ClrObject ContinuationState(ClrObject box) => Part(box, "_continuationState");

    /// <summary>The synchronization context that the continuation has to run on; a null object for none.</summary>
    public static ClrObject Context(ClrObject box)
    {
        ClrObject captured = Part(box, "_capturedContext");
        ClrObject scheduler = captured.Reference("_scheduler");
        return scheduler.IsNull ? captured : scheduler;
    }

    private static ClrObject Part(ClrObject box, string name)
        => Core(box) is { Field: { } core, Address: ulong address } && core.Type?.GetFieldByName(name) is { IsObjectReference: true } part
            ? part.ReadObject(address, interior: true)
            : default;

    private static (ClrInstanceField? Field, ulong Address) Core(ClrObject box)
        => box.Type?.GetFieldByName("_valueTaskSource") is { } core ? (core, core.GetAddress(box.Address)) : default;
}
