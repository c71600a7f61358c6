using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Collections;

/// <summary>Two threads inside one hash table at once, at least one of which changes it.</summary>
public sealed class ConcurrentTableUseRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT5002", "concurrent use of a collection", "Several threads are inside one Dictionary or HashSet at once, and one of them changes it.")
    {
        Patterns = Pattern.ConcurrentTableUse,
        Needs = Need.Managed | Need.Collections,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return context.Managed?.Collections is not { } known ? RuleOutcome.NotApplicable("the facts were captured without a look at collections")
            : known.TryGet(out CollectionsFacts? collections) ? RuleOutcome.Of([.. collections.Noteworthy.Where(IsMisused).Select(table => Describe(context, table))])
            : RuleOutcome.Clean();
    }

    // Any number of threads may read one table. A table that is at odds with itself while threads are inside is being changed
    // by one of them, even where no frame names the method.
    private static bool IsMisused(CollectionFacts table)
        => table.Uses.Count(use => use.IsInside) > 1 && (table.Uses.Any(use => use.IsInside && use.Writes) || IsHalfChanged(table));

    private static bool IsHalfChanged(CollectionFacts table)
        => table.Trust == Trust.Read && table.Faults.Count > 0 && table.Faults.All(fault => fault.Kind != CollectionFaultKind.ChainCycle);

    private Observation Describe(RuleContext context, CollectionFacts table)
    {
        CollectionUse[] inside = [.. table.Uses.Where(use => use.IsInside).OrderByDescending(use => use.Writes)];
        string label = CollectionText.Label(table);
        int writers = inside.Count(use => use.Writes);
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.ConcurrentTableUse,
            Links = Links.Of(table.Trust),
            Signs = writers > 0 ? Sign.WriterNamed : Sign.None,
            Title = $"{CollectionText.Threads(inside.Length)} are inside the {label} at once, and {(writers > 1 ? $"{writers} of them change" : "one of them changes")} it",
            Culprit = Parties.OfThread(context, inside[0].Thread) with { Role = CollectionText.Doing(inside[0]) },
            Evidence = [.. CollectionText.Uses(context, inside), .. CollectionText.Faults(table), .. CollectionText.Holder(table)],
            Gaps = CollectionText.Gaps(context, inside),
            Advice =
            [
                "Guard every use of this collection, reads too, by one lock, or use ConcurrentDictionary.",
                "Expect a hang: the next entry that is added can close a circle of links, and then lookups fail or never end.",
            ],
            Signature = Signature.Of(Info, context.Find(inside[0].Thread)?.Thread.Stack.Frames ?? []),
        };
    }
}
