using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Reports;

/// <summary>Which suspended async methods reports for people list.</summary>
internal static class ShownFlows
{
    /// <summary>
    /// Those that wait for something other than another async method, which is listed itself and says who awaits it. A method of
    /// the base library that another one awaits is left out as well: that one says what it waits for.
    /// </summary>
    public static IReadOnlyList<FlowGroup> Of(ProcessSnapshot snapshot)
        => FactsOf(snapshot) is { } facts ? [.. facts.Groups.Where(IsShown)] : [];

    /// <summary>"7 more"; null where all are shown.</summary>
    /// <param name="snapshot">The process.</param>
    /// <param name="groups">The groups to be shown.</param>
    /// <param name="most">How many of them are.</param>
    public static string? Rest(ProcessSnapshot snapshot, IReadOnlyList<FlowGroup> groups, int most)
    {
        int left = groups.Skip(most).Sum(group => group.Count) + (FactsOf(snapshot)?.Omitted ?? 0);
        return left == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"{left} more");
    }

    public static FlowsFacts? FactsOf(ProcessSnapshot snapshot)
        => snapshot.Managed is { } managed && managed.TryGet(out ManagedFacts? facts) && facts.Flows is { } flows && flows.TryGet(out FlowsFacts? known) ? known : null;

    private static bool IsShown(FlowGroup group)
        => group.Waits.Kind != FlowWaitKind.AsyncMethod
            && !(group.AwaitedBy.Count > 0 && Frameworks.IsOfBaseLibrary(group.Method));
}
