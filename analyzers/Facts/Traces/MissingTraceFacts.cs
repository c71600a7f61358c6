namespace HangTriage.Facts;

/// <summary>Finds a null in a place that the records of a trace promise to fill: a facts file is input that anybody can have written.</summary>
internal static class MissingTraceFacts
{
    /// <summary>Names the first part that has one; null where there is none.</summary>
    public static string? FirstIn(string? file, TraceFacts? facts)
        => file is null ? "trace: file"
            : facts is null ? "trace: facts"
            : IsHollow(facts) ? "trace: a fact of the recording"
            : Any(facts.Processes, IsHollow) ? "trace: a fact of a process"
            : Any(facts.Threads, IsHollow) ? "trace: a fact of a thread"
            : Any(facts.Readiers, readier => readier?.ByName is null || IsHollow(readier.ByName)) ? "trace: readiers"
            : Any(facts.Contentions, wait => wait?.Owner is null || wait.Lock is null || wait.Longest is null) ? "trace: contentions"
            : Any(facts.HandleWaits, wait => wait?.Call is null || wait.Longest is null) ? "trace: handleWaits"
            : Any(facts.Runtimes, runtime => runtime?.PoolWorkers is null) ? "trace: runtimes"
            : null;

    private static bool IsHollow(TraceFacts facts)
        => facts.Start is null || facts.Processors is null || facts.LostEvents is null || facts.LostBuffers is null || facts.Stacks is null || facts.Switches is null
            || Any(facts.Events, count => count?.Name is null) || Any(facts.Gaps, gap => gap?.What is null || gap.Why is null);

    private static bool IsHollow(TraceProcess? process)
        => process?.Name is null || IsHollow(process.Name) || process.Started is null || process.Ended is null || process.Cpu is null
            || process.Reads is null || process.Writes is null || Any(process.Registry, calls => calls?.Name is null)
            || Any(process.Files, use => use?.Name is null || IsHollow(use.Name) || use.Reads is null || use.Writes is null);

    private static bool IsHollow(TraceThread? thread)
        => thread?.Pid is null || thread.Name is null || IsHollow(thread.Name) || IsHollow(thread.Times) || thread.Priority is null || thread.Rank is null
            || thread.Moment is null || (thread.Moment.TryGet(out TraceMoment? moment) && moment?.Reason is null) || IsHollow(thread.Around)
            || (thread.LongestWait is { } wait && (wait.Reason is null || IsHollow(wait.Reason) || IsHollow(wait.By, IsHollow) || IsHollow(wait.Stack, IsHollow)))
            || (thread.LongestReady is { } ready && IsHollow(ready))
            || thread.Partners.Any(IsHollow)
            || Any(thread.WaitReasons, reason => reason?.Name is null) || Any(thread.Timeline, piece => piece is null)
            || Any(thread.Functions, function => function?.Name is null) || Any(thread.Tags, tag => tag?.Name is null)
            || thread.Reads is null || thread.Writes is null || Any(thread.Registry, calls => calls?.Name is null);

    private static bool IsHollow(TraceReady ready)
        => ready.Priority is null || ready.Rank is null || ready.IsStackPagedOut is null || IsHollow(ready.By, IsHollow)
            || IsHollow(ready.Others, others => others.LowestRank is null || others.HighestRank is null);

    private static bool IsHollow(TracePartner? partner)
        => partner?.Thread is null || partner.Pid is null || partner.ProcessName is null || IsHollow(partner.ProcessName);

    private static bool IsHollow(TraceReadiedBy by)
        => by.Pid is null || by.ProcessName is null || IsHollow(by.ProcessName) || IsHollow(by.Stack, IsHollow);

    private static bool IsHollow(IReadOnlyList<string> names) => names.Any(name => name is null);

    private static bool IsHollow<T>(Known<T>? known, Func<T, bool>? isHollow = null)
        where T : notnull
        => known is null || (known.TryGet(out T? value) && (value is null || isHollow?.Invoke(value) == true));

    private static bool Any<T>(IReadOnlyList<T>? list, Func<T, bool> isHollow) => list is null || list.Any(isHollow);
}
