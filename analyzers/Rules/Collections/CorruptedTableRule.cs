using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Collections;

/// <summary>A Dictionary, HashSet or a table that is built like them whose links are broken.</summary>
public sealed class CorruptedTableRule : IRule
{
    public RuleInfo Info { get; } = new("HT5001", "corrupted hash table", "A Dictionary or HashSet has broken links; threads can run in circles on it.")
    {
        Patterns = Pattern.BrokenTableInUse | Pattern.BrokenTable,
        Needs = Need.Managed | Need.Collections,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return context.Managed?.Collections is not { } known ? RuleOutcome.NotApplicable("the facts were captured without a look at collections")
            : known.TryGet(out CollectionsFacts? collections) ? RuleOutcome.Of([.. collections.Noteworthy.Where(IsDamaged).Select(table => Describe(context, collections, table))])
            : RuleOutcome.Clean();
    }

    // Whoever changes a table leaves it at odds with itself for some instructions, but never with a link that leads nowhere
    // or in a circle.
    private static bool IsDamaged(CollectionFacts table)
        => table.Faults.Any(IsLastingDamage) || (table.Faults.Count > 0 && !table.Uses.Any(use => use.IsInside));

    private static bool IsLastingDamage(CollectionFault fault)
        => fault.Kind is CollectionFaultKind.ChainCycle or CollectionFaultKind.LinkOutOfRange
            or CollectionFaultKind.FreeListCycle or CollectionFaultKind.FreeListOutOfRange;

    private Observation Describe(RuleContext context, CollectionsFacts collections, CollectionFacts table)
    {
        CollectionUse[] stuck = TableCircle.ThreadsIn(context, collections, table);
        bool isHang = stuck.Length > 0;
        string label = CollectionText.Label(table);
        string fault = CollectionText.Fault(table.Faults[0]);
        CollectionUse[] told = isHang ? stuck : [.. table.Uses];
        ThreadFacts? culprit = context.Find(stuck.OrderBy(use => use.IsBlocked).ThenByDescending(use => CpuOf(context, use)).FirstOrDefault()?.Thread ?? default)?.Thread;
        return new Observation
        {
            Rule = Info,
            Pattern = isHang ? Pattern.BrokenTableInUse : Pattern.BrokenTable,
            Links = Links.Of(table.Trust),
            Signs = SignsOf(context, table, stuck),
            Title = isHang
                ? $"{CollectionText.Threads(stuck.Length)} {(stuck.Length == 1 ? "is" : "are")} stuck in the {label}, which is corrupted: {fault}"
                : $"the {label} is corrupted: {fault}; no thread is seen to be stuck on it",
            Culprit = culprit is null ? null : Parties.OfThread(context, culprit.OsId) with { Role = $"works on the {label}, which is corrupted" },
            Victims = isHang ? Victims(context, stuck) : [],
            Evidence =
            [
                .. CollectionText.Faults(table),
                .. CollectionText.Uses(context, told),
                .. CollectionText.Holder(table),
                .. Errors(collections),
            ],
            Gaps = [.. CollectionText.Gaps(context, stuck), .. table.Holder.Gap is { } gap ? new[] { gap } : []],
            Advice =
            [
                "Look for code that changes this collection on several threads without a lock: that is what breaks it, often long before the hang.",
                "Guard every use of it, reads too, by one lock, or use ConcurrentDictionary. The process itself must be restarted.",
            ],
            Signature = isHang ? SignatureOf(context, stuck) : $"{Info.Id}/{table.Type}",
        };
    }

    private static TimeSpan CpuOf(RuleContext context, CollectionUse use)
        => context.Find(use.Thread)?.Thread.Cpu is { } cpu && cpu.TryGet(out CpuTime? time) ? time.Total() : TimeSpan.Zero;

    // From the table's method outwards: where in it a thread is caught differs from dump to dump.
    private HangSignature SignatureOf(RuleContext context, CollectionUse[] stuck)
        => Signature.Of(Info, stuck
            .OrderByDescending(use => use.IsInside)
            .Select(use => From(use.Method, context.Find(use.Thread)?.Thread.Stack.Frames ?? []))
            .FirstOrDefault(frames => frames.Any(frame => frame.Kind != FrameKind.Runtime), []));

    private static IReadOnlyList<FrameFacts> From(string? method, IReadOnlyList<FrameFacts> frames)
        => frames.SkipWhile(frame => frame.Method != method).ToArray() is { Length: > 0 } rest ? rest : frames;

    private static Sign SignsOf(RuleContext context, CollectionFacts table, CollectionUse[] stuck)
        => (table.Trust == Trust.Assumed ? Sign.AssumedLayout : Sign.None)
            | (stuck.Any(use => use.IsInside || use.HasConcurrentUseError) ? Sign.ThreadsInside : Sign.None)
            | (stuck.Any(use => use.IsInside && use.Trust == Trust.Derived) ? Sign.InsideProven : Sign.None)
            | (stuck.Length > 0 && stuck.All(use => !use.IsInside && !use.HasConcurrentUseError && TableCircle.HasNoFrames(context, use)) ? Sign.NoFrames : Sign.None);

    private static IReadOnlyList<Party> Victims(RuleContext context, CollectionUse[] stuck)
    {
        HashSet<ThreadId> ids = [.. stuck.Select(use => use.Thread)];
        return
        [
            .. TableCircle.Behind(context, stuck)
                .Where(node => node.Thread is { } thread && !ids.Contains(thread))
                .Select(node => Parties.Of(context, node)),
        ];
    }

    private static IEnumerable<Evidence> Errors(CollectionsFacts collections)
        => collections.ConcurrentUseErrors > 0
            ? [new Evidence(
                $"exceptions that say that a collection was used by several threads at once: {collections.ConcurrentUseErrors}"
                    + (collections.WholeHeap ? " on the heap" : " in the hands of threads"),
                "exceptions",
                Trust.Derived)]
            : [];
}
