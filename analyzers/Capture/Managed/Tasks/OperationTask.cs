using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>
/// A task that ValueTask.AsTask makes for an operation of a channel, a pipe, a timer or a socket, so that a thread can block on it. It
/// completes with the operation, as an async method would that awaits it.
/// </summary>
internal static class OperationTask
{
    private const string TypeName = "+ValueTaskSourceAsTask";

    /// <summary>The field of the operation, which is cleared when that has completed.</summary>
    public const string SourceField = "_source";

    /// <summary>The type of such tasks, as <c>System.Threading.Tasks.ValueTask&lt;System.Boolean&gt;+ValueTaskSourceAsTask</c>.</summary>
    public static bool IsName(string? type) => type?.EndsWith(TypeName, StringComparison.Ordinal) == true;

    public static bool Is(ClrObject target) => IsName(target.Type?.Name);

    /// <summary>The operation; a null object for another task.</summary>
    public static ClrObject Source(ClrObject target) => Is(target) ? target.Reference(SourceField) : default;
}
