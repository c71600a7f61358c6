using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Signals;

/// <summary>The words for waits that nothing can end.</summary>
internal static class LostWaitText
{
    private const int MostNamed = 4;

    /// <summary>Who waits where for what.</summary>
    public static Claim Of(RuleContext context, LostWait wait)
    {
        if (wait.Flow is { } flow)
        {
            return FlowText.WithCaller(Seen(flow));
        }

        ThreadId first = wait.Waits[0].Thread;
        Claim more = wait.Count > 1 ? $" and {Count.More(wait.Count - 1)} wait" : (Claim)" waits";
        Claim place = UserCode.In(context.Find(first)?.Thread) is { Method: { } method } frame ? $" in {MethodText.Short(method)}{(frame.Source is { } line ? $" ({line})" : string.Empty)}" : Claim.Empty;
        return $"{Parties.Label(context, first)}{more}{place}{For(context, first)}";
    }

    /// <summary>One of a circle waits for what, in short.</summary>
    public static Claim What(RuleContext context, LostWait wait)
    {
        if (wait.Flow is { } flow)
        {
            return $"{MethodText.Short(Seen(flow).Method)} waits {FlowText.Waits(flow.Waits)}";
        }

        ThreadId first = wait.Waits[0].Thread;
        Claim place = UserCode.In(context.Find(first)?.Thread) is { Method: { } method } ? $" in {MethodText.Short(method)}" : Claim.Empty;
        return $"{Parties.Label(context, first)} waits{place}{For(context, first)}";
    }

    /// <summary>The one of a circle that holds what the one before waits for: of async methods the method, which can be behind the one that waits.</summary>
    public static Party Member(RuleContext context, LostWait wait, LostWait before)
        => wait.Flow is not { } flow || flow.Method != before.Flow?.Method ? wait.Party(context)
            : before.Reach.Holders
                .Select(holder => (Holder: holder, Height: holder.Flow == flow.Sample ? 0 : flow.AwaitedBy.ToList().IndexOf(holder.Method ?? string.Empty) + 1))
                .Where(pair => pair.Holder.Flow == flow.Sample || pair.Height > 0)
                .OrderBy(pair => pair.Height)
                .Select(pair => Party.OfTask(pair.Holder.Flow!.Value, MethodText.Async(pair.Holder.Method!)))
                .FirstOrDefault() ?? wait.Party(context);

    /// <summary>What was looked at.</summary>
    public static IEnumerable<Evidence> Looked(RuleContext context, LostWait wait)
    {
        Claim[] holders = [.. wait.Reach.Holders.Select(holder => Name(context, holder)).OfType<Claim>().DistinctBy(name => name.Text).Take(MostNamed)];
        Claim found = holders.Length > 0 ? $"what leads to it waits itself: {Claim.Join(", ", holders)}"
            : wait.Reach.Givers is not null ? (Claim)"nothing that runs, or will run, leads to it and can come to code that ends its wait"
            : (Claim)"no stack, no handle, no timer, no operation of the system and no other wait leads to what it waits for";
        yield return new Evidence(found, "heap search", Trust.Derived);
        if (wait.Reach.Givers is { Count: > 0 } givers)
        {
            Claim what = wait.Reach.IsInStatic ? "a static field holds it, and its signal is given" : (Claim)"such a signal is given";
            yield return new Evidence(
                $"{what} in {Methods(givers)}; nothing that is left can come there but who waits", "instructions of the program", Trust.Derived);
        }
        else if (wait.Reach.GivenIn is { Count: <= MostNamed } alone)
        {
            yield return new Evidence(
                $"it is given in {Methods(alone)} alone, and nothing that could come there leads to it", "instructions of the program",
                Trust.Derived);
        }
        else if (wait.Reach.IsInStatic)
        {
            yield return new Evidence(
                "static fields lead to it; no thread of the program runs or waits with a timeout, and no timer, queued item, operation of the system or signal handler is there to run its code",
                "heap search", Trust.Derived);
        }
    }

    private static Claim Methods(IEnumerable<string> methods)
        => Claim.Join(", ", [.. methods.Take(MostNamed).Select(method => (Claim)MethodText.Short(method))]);

    /// <summary>"at Desk.ServeAsync, which alone was to signal or complete it".</summary>
    public static Claim Giving(LostWait wait)
        => wait.Reach.GivenIn is [var only] ? $"at {MethodText.Short(only)}, which alone was to signal or complete it"
            : (Claim)"for the code that was to signal or complete it";

    public static HangSignature Signature(RuleContext context, RuleInfo rule, IReadOnlyList<LostWait> waits)
        => Observing.Signature.Of(
            rule,
            waits.SelectMany(wait => wait.Waits).Select(wait => Waiters.StackOf(context, wait.Thread)),
            waits.Select(wait => wait.Flow).OfType<FlowGroup>().Select(flow => Seen(flow).Method));

    private static Claim For(RuleContext context, ThreadId thread) => WaitText.Of(context, thread)?.Label is { } target ? $" for {target}" : Claim.Empty;

    // The base library's own method stands for the program's that awaits it.
    private static FlowGroup Seen(FlowGroup flow)
        => LostWaits.ProgramMethod(flow) is { } method && method != flow.Method ? flow with { Method = method, Source = null } : flow;

    private static Claim? Name(RuleContext context, ReachHolder holder)
        => holder.Method is { } method ? (Claim)MethodText.Async(method)
            : holder.Thread is { } thread ? Parties.Label(context, thread)
            : null;
}
