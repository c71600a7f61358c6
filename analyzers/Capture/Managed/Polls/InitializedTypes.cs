using HangTriage.Capture.Managed.Code;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Finds the static constructors that nobody comes to any more: each runs once, when the static fields of its type get their place.
/// </summary>
internal static class InitializedTypes
{
    private const int MostTypes = 100_000;
    private const string Constructor = "..cctor";

    /// <summary>The constructors, as the calls of the program have them. One that is running is on the stack of a thread.</summary>
    public static IEnumerable<string> Constructors(ClrRuntime runtime, IlModules modules, CallGraph graph, CaptureContext context)
    {
        foreach (ClrType type in modules.TypesOf(runtime).Take(MostTypes))
        {
            context.Step();
            if (type.Name is { } name && graph.PlacesOf(name + Constructor).Count > 0
                && type.StaticFields.Any(field => runtime.AppDomains.Any(domain => field.GetAddress(domain) != 0)))
            {
                yield return name + Constructor;
            }
        }
    }
}
