using HangTriage.Facts;

namespace HangTriage.Rules.Context;

/// <summary>
/// Distinguishes what is missing of one thread from what a source never records: rules make allowance for the second, as for
/// processor times in cores of Linux, while the first hides what they would have seen.
/// </summary>
internal static class Lost
{
    /// <summary>The gap, where such a fact is known of another thread; null where it is known, or recorded of no thread.</summary>
    public static Gap? Of<T>(RuleContext context, ThreadFacts thread, Func<ThreadFacts, Known<T>?> fact)
        where T : notnull
        => fact(thread)?.Gap is { } gap && context.Threads.Any(other => fact(other.Thread) is { HasValue: true }) ? gap : null;
}
