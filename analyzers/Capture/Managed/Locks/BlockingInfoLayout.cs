using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Where <c>System.Threading.ThreadBlockingInfo</c> (.NET 9 and later) keeps what a thread waits for: a thread-static
/// pointer <c>t_first</c> to a list on the waiting thread's own stack. Offsets come from the target's metadata.
/// </summary>
internal sealed record BlockingInfoLayout
{
    public required ClrThreadStaticField First { get; init; }

    public required int ObjectPtr { get; init; }

    public required int Kind { get; init; }

    public required int Timeout { get; init; }

    public required int Next { get; init; }

    /// <summary>The offset of the owner's operating-system thread id in the runtime's native monitor; null where it states none.</summary>
    public required int? OwnerInNativeLock { get; init; }

    /// <summary>Monitors are the runtime's native ones (up to .NET 10), not managed objects.</summary>
    public required bool MonitorsAreNative { get; init; }

    /// <summary>Null before .NET 9, and where the core library's metadata cannot be read.</summary>
    public static BlockingInfoLayout? Of(ClrRuntime runtime)
    {
        ClrType? type = runtime.BaseClassLibrary?.GetTypeByName("System.Threading.ThreadBlockingInfo");
        return type?.ThreadStaticFields.FirstOrDefault(field => field.Name == "t_first") is { } first
            && type.GetFieldByName("_objectPtr") is { } objectPtr
            && type.GetFieldByName("_objectKind") is { } kind
            && type.GetFieldByName("_timeoutMs") is { } timeout
            && type.GetFieldByName("_next") is { } next
                ? new BlockingInfoLayout
                {
                    First = first,
                    ObjectPtr = objectPtr.Offset,
                    Kind = kind.Offset,
                    Timeout = timeout.Offset,
                    Next = next.Offset,
                    OwnerInNativeLock = OwnerOffset(runtime, type),
                    MonitorsAreNative = OwnerOffsetField(type) is not null,
                }
                : null;
    }

    private static int? OwnerOffset(ClrRuntime runtime, ClrType type)
    {
        ClrStaticField? field = OwnerOffsetField(type);
        foreach (ClrAppDomain domain in runtime.AppDomains)
        {
            // Zero until a monitor is first waited for; a native lock is small.
            if (field is not null && field.Read<int>(domain) is > 0 and < 256 and int offset)
            {
                return offset;
            }
        }

        return null;
    }

    private static ClrStaticField? OwnerOffsetField(ClrType type)
        => type.StaticFields.FirstOrDefault(field => field.Name == "s_monitorObjectOffsetOfLockOwnerOSThreadId");
}
