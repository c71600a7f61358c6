using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>A callback that runs, and what is signalled when it has ended.</summary>
/// <param name="Address">The timer, or the registered wait.</param>
/// <param name="Type">What called it.</param>
/// <param name="Runner">The thread that runs it.</param>
/// <param name="Signal">A WaitHandle, the safe handle of one, or a task.</param>
internal sealed record CallbackEnd(ulong Address, string Type, ThreadId Runner, ClrObject Signal)
{
    /// <summary>The handle by which threads wait for <see cref="Signal"/>; null for a task.</summary>
    public Address? Handle
        => SafeHandle is { IsNull: false } safe && safe.Type?.GetFieldByName("handle") is { } handleField ? Read(safe, handleField) : null;

    private ClrObject SafeHandle
        => Signal.Type?.GetFieldByName("_waitHandle") is { IsObjectReference: true } safeField ? safeField.ReadObject(Signal.Address, interior: false) : Signal;

    private static Address? Read(ClrObject safe, ClrInstanceField handleField)
        => safe.Type!.Heap.Runtime.DataTarget.DataReader.ReadPointer(handleField.GetAddress(safe.Address), out ulong value) ? new Address(value) : null;
}
