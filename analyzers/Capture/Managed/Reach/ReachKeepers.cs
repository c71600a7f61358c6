using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Names the field in which the program keeps a task or a queue that is waited for, however deep: a table of answers that have not come, a
/// lock of a library with a queue of those who wait.
/// </summary>
internal sealed class ReachKeepers(ReachSearch search, ClrHeap heap, Func<ProgramUsers?> users)
{
    private const int MostSteps = 128;

    // Of state machines and closures: these are who waits or completes it, not where it is kept.
    private const string MadeByCompiler = "+<";

    /// <summary>With what it is kept in; the wait as it is where it is for another thing, or that was not found.</summary>
    public FlowWait Name(FlowWait wait)
        => wait is { LostParts: 0, Address: { } awaited } && HasNoField(wait) && Find(awaited.Value) is { } field
            ? wait with { KeptIn = field }
            : wait;

    private static bool HasNoField(FlowWait wait)
        => wait.Kind switch
        {
            FlowWaitKind.Task => wait.Label?.Contains('.', StringComparison.Ordinal) != true,
            FlowWaitKind.Channel or FlowWaitKind.Pipe => wait.Label is null,
            _ => false,
        };

    private string? Find(ulong awaited)
    {
        HashSet<int> seen = [.. search.Graph.NodesAt(awaited)];
        Queue<int> open = new(seen);
        for (int steps = 0; open.TryDequeue(out int node) && steps < MostSteps; steps++)
        {
            ulong kept = search.Graph.AddressOf(node);
            if (kept != awaited && search.Links.UsesOf(kept) is [{ Field: { } @static }, ..])
            {
                return @static;
            }

            if (search.Links.IdleHoldersOf(kept).Select(holder => FieldOfIdle(heap.GetObject(holder), kept)).OfType<string>()
                .FirstOrDefault() is { } limiter)
            {
                return limiter;
            }

            foreach (int from in search.Graph.LeadingTo(node).Where(from => IsObject(from) && seen.Add(from)))
            {
                ClrObject holder = heap.GetObject(search.Graph.AddressOf(from));
                if (IsOfProgram(holder) && FieldOf(holder, kept) is { } field)
                {
                    return field;
                }

                if (holder.Type?.Name?.Contains(MadeByCompiler, StringComparison.Ordinal) == false)
                {
                    open.Enqueue(from);
                }
            }
        }

        return null;
    }

    private bool IsObject(int node) => search.ThreadAt(search.Graph.AddressOf(node)) is null;

    private bool IsOfProgram(ClrObject holder)
        => ReachGates.IsOfProgram(holder)
            && !holder.Type!.Name!.Contains(MadeByCompiler, StringComparison.Ordinal)
            && users()?.IsOfLibrary(holder.Type) != true;

    private string? FieldOfIdle(ClrObject holder, ulong kept)
        => holder.IsArray ? users()?.Fields.Of(holder, kept)?.Field : IsOfProgram(holder) ? FieldOf(holder, kept) : null;

    private static string? FieldOf(ClrObject holder, ulong kept)
        => FieldNames.ReferencesOf(holder.Address, holder.Type).FirstOrDefault(field => field.Address == kept).Name;
}
