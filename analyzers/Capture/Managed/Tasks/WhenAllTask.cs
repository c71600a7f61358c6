using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>
/// A Task.WhenAll of .NET 8 and later: it does not know its parts, they know it, alone or in a list of all that wait for them.
/// </summary>
/// <remarks>dotnet/runtime: Task.WhenAllPromise, whose _remainingToComplete each part counts down once.</remarks>
internal static class WhenAllTask
{
    private const string Shared = "System.Collections.Generic.List<";
    private const string Row = "System.Object[]";
    private const string Teller = "System.Threading.Tasks.CompletionActionInvoker";

    /// <summary>How many parts it still waits for; null for any other task.</summary>
    public static int? Remaining(ClrObject task)
        => TaskObject.Kind(task) == TaskKind.WhenAll && task.Number("_remainingToComplete") is int and > 0 and var remaining
            ? remaining
            : null;

    /// <summary>What a part has that several wait for; when the part has completed, whoever tells them has it alone.</summary>
    public static bool IsList(ClrObject referrer)
        => referrer.Type?.Name is null or Row || referrer.Type.Name.StartsWith(Shared, StringComparison.Ordinal);

    /// <summary>What the pool runs to tell of a part that has completed.</summary>
    public static bool IsTeller(ClrObject referrer) => referrer.Type?.Name == Teller;
}
