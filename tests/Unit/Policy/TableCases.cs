using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Hash tables with broken links.</summary>
internal static class TableCases
{
    private const ulong Table = 0xd000;

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("broken table, a thread inside by a guess", Case.Of(Process(tables =>
            {
                tables.Add(Table, "System.Collections.Generic.Dictionary<App.Key, App.Item>", CollectionFaultKind.ChainCycle);
                tables.Use(Table, 1, isInside: true, trust: Trust.Scanned);
            }))),
            ("broken table of an assumed layout that nobody is in", Case.Of(Process(tables =>
                tables.Add(Table, "App.FastTable<App.Key>", CollectionFaultKind.WrongBucket, Trust.Assumed)))),
        ];

    private static ProcessSnapshot Process(Action<TableBuilder> describe)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, "App.Cache.Find");
        describe(builder.Tables);
        return builder.Build();
    }
}
