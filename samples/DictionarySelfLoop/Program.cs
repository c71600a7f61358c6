using System.Reflection;
using Samples;

namespace DictionarySelfLoop;

/// <summary>A Dictionary as two writers at once can leave it, and callers that try again forever.</summary>
internal static class Program
{
    private const int EnoughTries = 3;

    private static void Main()
    {
        Thread.CurrentThread.Name = "main";
        Warmth.Up(LookUpWhatIsMissing);
        Dictionary<int, string> orders = [];
        for (int i = 0; i < 20; i++)
        {
            orders.Add(i, $"order {i}");
        }

        // The one entry of bucket 7 leads to itself: whoever looks for another number of that bucket never comes to an end.
        PointToItself(orders, 7);
        int missing = 7 + BucketsOf(orders);
        Lookup[] lookups = [new("order-lookup-1", orders, missing), new("order-lookup-2", orders, missing)];
        foreach (Lookup lookup in lookups)
        {
            lookup.Start();
        }

        while (!Array.TrueForAll(lookups, lookup => lookup.Failures >= EnoughTries))
        {
            Thread.Yield();
        }

        Stage.ReadyWhenCallerWaits();
        lookups[0].Join();
    }

    private static void LookUpWhatIsMissing()
    {
        Lookup lookup = new("order-lookup-1", new Dictionary<int, string> { [0] = "order 0" }, number: 1);
        lookup.Start();
        lookup.Join();
    }

    private static int BucketsOf(Dictionary<int, string> table) => ((Array)Field("_buckets").GetValue(table)!).Length;

    private static void PointToItself(Dictionary<int, string> table, int index)
    {
        Array entries = (Array)Field("_entries").GetValue(table)!;
        object entry = entries.GetValue(index)!;
        entry.GetType().GetField("next")!.SetValue(entry, index);
        entries.SetValue(entry, index);
    }

    private static FieldInfo Field(string name) => typeof(Dictionary<int, string>).GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!;
}
