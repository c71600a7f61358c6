using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Collections;

/// <summary>Puts hash tables, their damage and the threads in them into words.</summary>
internal static class CollectionText
{
    /// <summary>As "Dictionary&lt;System.String, App.Item&gt; (0x7f…)".</summary>
    public static string Label(CollectionFacts table) => $"{ShortType(table.Type)} ({table.Address})";

    public static string Fault(CollectionFault fault)
    {
        string what = (fault.Kind, fault.Entry) switch
        {
            (CollectionFaultKind.ChainCycle, null) => Text($"bucket {fault.Bucket} leads into a circle at entry {fault.Next}"),
            (CollectionFaultKind.ChainCycle, { } entry) => Text($"in bucket {fault.Bucket} entry {entry} leads back to entry {fault.Next}"),
            (CollectionFaultKind.LinkOutOfRange, null) => Text($"bucket {fault.Bucket} leads to entry {fault.Next}, which does not exist or is free"),
            (CollectionFaultKind.LinkOutOfRange, { } entry) => Text($"in bucket {fault.Bucket} entry {entry} leads to entry {fault.Next}, which does not exist or is free"),
            (CollectionFaultKind.WrongBucket, _) => Text($"bucket {fault.Bucket} leads to entry {fault.Entry}, whose hash code belongs to another bucket"),
            (CollectionFaultKind.UnreachableEntry, _) => Text($"entry {fault.Entry} is in use and no bucket leads to it"),
            (CollectionFaultKind.FreeListCycle, _) => Text($"the list of free entries leads back to entry {fault.Next}"),
            (CollectionFaultKind.FreeListOutOfRange, _) => Text($"the list of free entries leads to entry {fault.Next}, which does not exist or is in use"),
            (CollectionFaultKind.FreeListLength, _) => "the list of free entries is not as long as the table states",
            _ => "its counts contradict each other or the size of its arrays",
        };
        return fault.Places > 1 ? Text($"{what} (the first of {fault.Places} places)") : what;
    }

    public static IEnumerable<Evidence> Faults(CollectionFacts table)
        => table.Faults.Select(fault => new Evidence(Fault(fault), "hash table", table.Trust) { Address = table.Address });

    public static IEnumerable<Evidence> Uses(RuleContext context, IEnumerable<CollectionUse> uses)
        => uses.Select(use => new Evidence($"{Parties.Label(context, use.Thread)} {Doing(use)}{Burned(context, use.Thread)}", use.Trust == Trust.Scanned ? "stack words" : "stack roots", use.Trust)
        {
            Thread = use.Thread,
            Frame = use.Method is { } method ? Claim.Of(method) : null,
        });

    /// <summary>As "is inside, in Dictionary.TryInsert".</summary>
    public static string Doing(CollectionUse use)
    {
        string where = use.Method is { } method ? $", in {method}" : string.Empty;
        string error = use.HasConcurrentUseError ? ", and handles the exception that says that the collection was used by several threads at once" : string.Empty;
        return (use.IsInside, use.Writes) switch
        {
            (true, true) => $"is inside and changes it{where}{error}",
            (true, false) => $"is inside{where}{error}",
            _ => $"refers to it{where}{error}",
        };
    }

    public static IEnumerable<Evidence> Holder(CollectionFacts table)
        => table.Holder.TryGet(out string? holder)
            ? [new Evidence($"{holder} refers to it", "fields", table.Holder.Trust) { Address = table.Address }]
            : [];

    /// <summary>CPU times that are not known, of the threads that matter.</summary>
    public static IReadOnlyList<Gap> Gaps(RuleContext context, IEnumerable<CollectionUse> uses)
        => [.. uses.Select(use => context.Find(use.Thread)?.Thread.Cpu.Gap).OfType<Gap>().Distinct()];

    public static string Threads(int count) => Count.Of(count, "thread");

    private static string Burned(RuleContext context, ThreadId thread)
        => context.Find(thread)?.Thread.Cpu is { } cpu && cpu.TryGet(out CpuTime? time)
            ? $"; it has burned {Durations.Of(time.Total())} of CPU"
            : string.Empty;

    // The name without its namespace: System.Collections.Generic says nothing that Dictionary does not.
    private static string ShortType(string type)
    {
        int arguments = type.IndexOf('<', StringComparison.Ordinal);
        int dot = type.LastIndexOf('.', (arguments < 0 ? type.Length : arguments) - 1);
        return type[(dot + 1)..];
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
