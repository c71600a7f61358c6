using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>Finds the handles of the system that a thread waits for in WaitOne, WaitAny or WaitAll.</summary>
internal sealed class HandleWaits(IDataReader reader, StackObjects objects, BlockedCall call)
{
    /// <summary>Where a WaitHandle has its SafeWaitHandle.</summary>
    public const string HandleField = "_waitHandle";

    private const string SafeHandle = "Microsoft.Win32.SafeHandles.SafeWaitHandle";

    // WaitHandle.MaxWaitHandles: no call takes more.
    private const int MostHandles = 64;

    /// <summary>Empty where they could not be found.</summary>
    public IReadOnlyList<PrimitiveWait> Read()
    {
        ClrObject[] handles =
        [
            // Of several the method keeps an array of the runtime's, the places behind the last one empty.
            .. objects.In(call, SafeHandle) is [var single] ? [single]
                : objects.In(call, SafeHandle + "[]") is [var several] ? Elements(several)
                : [],
        ];
        ClrObject[] owners =
        [
            .. objects.AllWithFields(DotNetTypes.WaitHandle).Concat(objects.AroundIn(call.Frames).Where(around => around.IsArray).SelectMany(Elements))
                .Where(found => found.Type?.GetFieldByName(HandleField) is not null),
        ];
        PrimitiveWait?[] waits = [.. handles.Select(handle => Read(handle, owners))];
        WaitMode? mode = waits.Length > 1 ? Mode() : null;
        return waits.Contains(null) ? [] : [.. waits.OfType<PrimitiveWait>().Select(wait => wait with { Mode = mode })];
    }

    private WaitMode Mode()
    {
        // Where the program's call was inlined, only what both share is on the stack.
        string?[] names = [.. call.Frames.Select(frame => frame.Method!.Name)];
        return names.Contains("WaitAll") ? WaitMode.All : names.Contains("WaitAny") ? WaitMode.Any : WaitMode.AllOrAny;
    }

    private PrimitiveWait? Read(ClrObject handle, ClrObject[] owners)
    {
        if (handle.Type?.GetFieldByName("handle") is not { } field || !reader.ReadPointer(field.GetAddress(handle.Address), out ulong value))
        {
            return null;
        }

        ClrObject owner = owners.FirstOrDefault(found => found.ReadObjectField(HandleField).Address == handle.Address);
        LockKind kind = HandleOwners.KindOf(owner.Type) ?? LockKind.KernelObject;
        LockId id = new(kind, new Address(value));
        LockFacts? facts = kind == LockKind.Mutex ? MutexFacts(id) : null;
        return new PrimitiveWait(id, WaitFor(kind), facts) { Handle = new Address(handle.Address) };
    }

    public static WaitKind WaitFor(LockKind kind) => kind == LockKind.Mutex ? WaitKind.Acquire : WaitKind.Signal;

    private static IEnumerable<ClrObject> Elements(ClrObject array)
    {
        ClrArray elements = array.AsArray();
        return elements.Rank == 1 && array.Type!.ComponentType is { IsObjectReference: true }
            ? Enumerable.Range(0, Math.Min(elements.Length, MostHandles)).Select(elements.GetObjectValue).Where(found => !found.IsNull)
            : [];
    }

    public static LockFacts MutexFacts(LockId id)
    {
        const string Why = "who has a mutex is in native memory of the runtime that is not read; in a Windows dump the handles tell";
        return new LockFacts
        {
            Id = id,
            Name = Known.Unknown<string>("name of the mutex", Why),
            IsHeld = Known.Derived(true),
            Owner = Known.Unknown<ThreadId>("owner of the mutex", Why),
            Recursion = Known.Unknown<uint>("recursion", Why),
            WaiterCount = Known.Unknown<uint>("waiting threads", Why),
        };
    }
}
