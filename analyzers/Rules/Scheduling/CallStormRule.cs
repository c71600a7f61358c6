using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Scheduling;

/// <summary>A thread that seems to wait for files or the registry computes: in the path of very many small calls.</summary>
public sealed class CallStormRule : IRule
{
    private const string Source = "trace";

    public RuleInfo Info { get; } = new("HT7004", "call storm", "A trace shows a thread that runs in very many small reads, writes or registry calls.")
    {
        Patterns = Pattern.CallStorm,
        Needs = Need.Threads,
        JudgesTraceAlone = true,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (TraceNeeds.Missing(context) is { } missing)
        {
            return missing;
        }

        CallStorm? storm = context.Traced
            .Of(context.Threads.Where(thread => context.Graph.ThreadsBehind(WaitNode.Of(thread.Thread.OsId)).Count == 0))
            .Select(thread => CallStorm.Of(thread) ?? (context.Case.IsTraceAlone ? CallStorm.OfWaits(thread) : null))
            .OfType<CallStorm>()
            .MaxBy(storm => storm.Calls);
        return RuleOutcome.Of(storm is null ? [] : [Describe(context, storm)]);
    }

    private Observation Describe(RuleContext context, CallStorm storm)
    {
        ThreadId id = storm.Thread.OsId;
        Claim label = Parties.Label(context, id);
        TimeSpan running = storm.Thread.Times.Value.Running;
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.CallStorm,
            Links = LinkTrust.Read,
            Signs = context.Case.IsTraceAlone ? Sign.TraceAlone : Sign.None,
            Title = $"{label} runs in {storm.Words}, in {Durations.Of(running)} of CPU time{(context.Case.IsTraceAlone ? "" : "; nobody is seen to wait for it")}",
            Culprit = Parties.OfThread(context, id) with { Role = $"runs in {storm.Words}" },
            Evidence = [.. Figures(context, storm, label, running)],
            Advice =
            [
                storm.IsOfWaits ? "Look at whom it asks so often (the table of its waits names who readied it), and ask for more at once."
                    : storm.Bytes is null
                    ? "Look at who asks for these keys, and keep the values or ask for a notification of changes (RegNotifyChangeKeyValue)."
                    : "Read or write more at once: a buffer of 64 KB in front of the file, or the file mapped into memory.",
                "Leave it if it should take this long: nothing hangs, it takes one processor.",
            ],
            Signature = Signature.Of(Info, context.Find(id)?.Thread.Stack.Frames ?? []),
        };
    }

    private static IEnumerable<Evidence> Figures(RuleContext context, CallStorm storm, Claim label, TimeSpan running)
    {
        TraceThread thread = storm.Thread;
        string bytes = storm.Bytes is { } all ? string.Create(CultureInfo.InvariantCulture, $" for {all:#,0} bytes") : string.Empty;
        yield return Of(thread, $"{label} made {storm.Words}{bytes}, in a trace of {Durations.Of(thread.To - thread.From)}");
        yield return Of(thread, string.Create(CultureInfo.InvariantCulture, $"it ran for {Durations.Of(running)}: {running.TotalMicroseconds / storm.Calls:0.#} microseconds of CPU for each call"));
        if (thread.Functions is [var top, ..])
        {
            yield return Of(thread, string.Create(CultureInfo.InvariantCulture, $"{top.Self} of its {thread.Samples} samples are in {top.Name}"));
        }

        TraceProcess? process = context.Trace!.Facts.Processes.FirstOrDefault(process => thread.Pid.Is(pid => pid == process.Pid));
        if (storm.Bytes is not null && process?.Files is [var file, ..] && file.Name.TryGet(out string? name))
        {
            yield return Of(thread, string.Create(CultureInfo.InvariantCulture, $"the process's file with most calls is {name}: {file.Reads.Calls:#,0} reads, {file.Writes.Calls:#,0} writes"));
        }
    }

    private static Evidence Of(TraceThread thread, Claim claim) => new(claim, Source, Trust.Derived) { Thread = thread.OsId };
}
