using HangTriage.Facts;

namespace HangTriage.Rules.Collections;

/// <summary>A Dictionary, HashSet or a table that is built like them whose links are broken.</summary>
public sealed class CorruptedTableRule : IRule
{
    public RuleInfo Info { get; } = new("HT5001", "corrupted hash table", "A Dictionary or HashSet has broken links; threads can run in circles on it.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (CollectionSection.Of(context.Snapshot, out RuleOutcome outcome) is not { } collections)
        {
            return outcome;
        }

        Finding[] findings = [.. collections.Noteworthy.Where(IsDamaged).Select(table => Describe(context, collections, table))];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : outcome;
    }

    // Whoever changes a table leaves it at odds with itself for some instructions, but never with a link that leads nowhere
    // or in a circle.
    private static bool IsDamaged(CollectionFacts table)
        => table.Faults.Any(IsLastingDamage) || (table.Faults.Count > 0 && !table.Uses.Any(use => use.IsInside));

    private static bool IsLastingDamage(CollectionFault fault)
        => fault.Kind is CollectionFaultKind.ChainCycle or CollectionFaultKind.LinkOutOfRange
            or CollectionFaultKind.FreeListCycle or CollectionFaultKind.FreeListOutOfRange;

    private Finding Describe(RuleContext context, CollectionsFacts collections, CollectionFacts table)
    {
        CollectionUse[] stuck = TableCircle.ThreadsIn(context, collections, table);
        bool isHang = stuck.Length > 0;
        (Confidence confidence, string reason) = Judge(context, table, stuck);
        string label = CollectionText.Label(table);
        string fault = CollectionText.Fault(table.Faults[0]);
        CollectionUse[] told = isHang ? stuck : [.. table.Uses];
        ThreadFacts? culprit = context.Find(stuck.OrderBy(use => use.IsBlocked).ThenByDescending(use => CpuOf(context, use)).FirstOrDefault()?.Thread ?? default)?.Thread;
        return new Finding
        {
            Rule = Info,
            Severity = isHang ? Severity.Hang : Severity.Warning,
            Kind = isHang ? VerdictKind.Corruption : VerdictKind.NotHung,
            Confidence = confidence,
            ConfidenceReason = reason,
            Title = isHang
                ? $"{CollectionText.Threads(stuck.Length)} cannot get on with the {label}, which is corrupted: {fault}"
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
            Signature = isHang ? Sign(context, stuck) : $"{Info.Id}/{table.Type}",
        };
    }

    private static TimeSpan CpuOf(RuleContext context, CollectionUse use)
        => context.Find(use.Thread)?.Thread.Cpu is { } cpu && cpu.TryGet(out CpuTime? time) ? time.Total() : TimeSpan.Zero;

    // From the table's method outwards: where in it a thread is caught differs from dump to dump.
    private string Sign(RuleContext context, CollectionUse[] stuck)
        => Signature.Of(Info, stuck
            .OrderByDescending(use => use.IsInside)
            .Select(use => From(use.Method, context.Find(use.Thread)?.Thread.Stack.Frames ?? []))
            .FirstOrDefault(frames => frames.Any(frame => frame.Kind != FrameKind.Runtime), []));

    private static IReadOnlyList<FrameFacts> From(string? method, IReadOnlyList<FrameFacts> frames)
        => frames.SkipWhile(frame => frame.Method != method).ToArray() is { Length: > 0 } rest ? rest : frames;

    private static (Confidence Confidence, string Reason) Judge(RuleContext context, CollectionFacts table, CollectionUse[] stuck)
    {
        if (stuck.Length == 0)
        {
            return table.Trust == Trust.Assumed
                ? (Confidence.Possible, "the links are broken if the layout of this type is what its fields' names say")
                : (Confidence.Likely, "the broken links were read; what they do to the program depends on who looks for what");
        }

        if (stuck.All(use => !use.IsInside && !use.HasConcurrentUseError && TableCircle.HasNoFrames(context, use)))
        {
            return (Confidence.Possible, "the circle was read, and threads that run refer to the table; their managed frames could not be found, so that they are inside it is a guess");
        }

        return (table.Trust, stuck.Any(use => use.IsInside && use.Trust == Trust.Derived), stuck.Any(use => use.IsInside || use.HasConcurrentUseError)) switch
        {
            (Trust.Assumed, _, _) => (Confidence.Likely, "the circle was read through a layout that is assumed by the names of the fields, and threads are inside the table"),
            (_, true, _) => (Confidence.Certain, "the circle was read, and threads are inside the table"),
            (_, _, true) => (Confidence.Likely, "the circle was read, and threads are at the exception that it leads to; that they came from this table is guessed from their stacks' words"),
            _ => (Confidence.Likely, "the circle was read, threads that run refer to the table, and the exception that it leads to was thrown more than once"),
        };
    }

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
