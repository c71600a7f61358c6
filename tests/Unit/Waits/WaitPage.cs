using System.Text;
using HangTriage.Facts.Calls;

namespace HangTriage.Tests.Unit.Waits;

/// <summary>Writes docs/waits.md.</summary>
internal static class WaitPage
{
    private static readonly CallMeaning[] s_noWaits =
    [
        CallMeaning.FailsFast, CallMeaning.ReturnsAtOnce, CallMeaning.RunsTask, CallMeaning.RunsWorkItem, CallMeaning.HandlesSignal, CallMeaning.ChangesTable, CallMeaning.ReportsConcurrentUse,
    ];

    /// <summary>The rows of .NET in which a thread waits.</summary>
    public static IEnumerable<KnownCall> Calls => KnownCalls.DotNet.SelectMany(table => table.Rows).Where(row => !s_noWaits.Contains(row.Meaning));

    public static string Text()
    {
        StringBuilder page = new();
        page.Append(
            """
            # What .NET offers to wait on

            What is read of each, and what a dump cannot tell. A test writes this page from the calls that the tool knows.

            | wait | what is read | on | what a dump cannot tell, and why |
            | --- | --- | --- | --- |

            """);
        foreach (WaitPrimitive primitive in WaitPrimitives.List)
        {
            page.Append($"| {primitive.Name} | {primitive.Read} | {primitive.Runtimes} | {primitive.Unknown} |\n");
        }

        page.Append(
            """

            A core or dump without the heap tells nothing of objects: all of these but the runtime's own are gaps then. On .NET 8 waits are found
            by the objects that a thread's frames hold; .NET 9 and 10 record those for a lock themselves, with the timeout.

            ## The calls that are known

            """);
        foreach (WaitPrimitive primitive in WaitPrimitives.List.Where(primitive => Calls.Any(primitive.Has)))
        {
            page.Append($"\n{primitive.Name}:\n{string.Join(", ", Calls.Where(primitive.Has).Select(Name).Distinct())}\n");
        }

        return page.ToString();
    }

    private static string Name(KnownCall call)
        => $"`{(call.Type is { } type ? type + "." : string.Empty)}{call.Name}{(call.IsPrefix ? "*" : string.Empty)}`{(call.Versions is { } versions ? $" ({versions})" : string.Empty)}";
}
