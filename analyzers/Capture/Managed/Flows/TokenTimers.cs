using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Whether a cancellation token will be cancelled by a timer: that of its source, or of one that the source is linked to.</summary>
/// <remarks>
/// Fields of dotnet/runtime, CancellationTokenSource.cs: a registration's node leads to the source (Registrations.Source); a linked source
/// keeps its registrations with those that cancel it (_reg1, _reg2, _linkingRegistrations). Tried on .NET 8, 9 and 10.
/// </remarks>
internal static class TokenTimers
{
    private const int MostSources = 32;

    private const string Registration = "System.Threading.CancellationTokenRegistration";

    /// <summary>The shortest time that a timer was set for; null where no source has one.</summary>
    /// <param name="node">The node of a registration (CancellationTokenSource.CallbackNode).</param>
    public static TimeSpan? LimitOf(ClrObject node)
    {
        TimeSpan? shortest = null;
        foreach (ClrObject source in SourcesOf(node))
        {
            if (TokenSources.SetFor(source) is { } time && !(time >= shortest))
            {
                shortest = time;
            }
        }

        return shortest;
    }

    /// <summary>The source that the node is registered with, and those that it is linked to; at most some.</summary>
    /// <param name="node">The node of a registration (CancellationTokenSource.CallbackNode).</param>
    public static IEnumerable<ClrObject> SourcesOf(ClrObject node)
    {
        HashSet<ulong> seen = [];
        Queue<ClrObject> open = new([SourceOf(node)]);
        while (open.TryDequeue(out ClrObject source) && seen.Count < MostSources)
        {
            if (source.IsNull || !seen.Add(source.Address))
            {
                continue;
            }

            yield return source;
            foreach (ClrObject parent in ParentsOf(source).Take(MostSources))
            {
                open.Enqueue(SourceOf(parent));
            }
        }
    }

    private static ClrObject SourceOf(ClrObject node) => node.Reference("Registrations").Reference("Source");

    private static IEnumerable<ClrObject> ParentsOf(ClrObject source)
    {
        foreach (ClrInstanceField field in source.Type?.Fields ?? [])
        {
            if (field.IsValueType && field.Type?.Name == Registration)
            {
                foreach (ClrObject node in ObjectFields.ObjectsIn(field.Type, field.GetAddress(source.Address)))
                {
                    yield return node;
                }
            }
        }

        if (source.Reference("_linkingRegistrations") is { IsNull: false, IsArray: true } list)
        {
            ClrArray registrations = list.AsArray();
            for (int index = 0; index < Math.Min(registrations.Length, MostSources); index++)
            {
                yield return registrations.GetStructValue(index).ReadObjectField("_node");
            }
        }
    }
}
