using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>A generic host waits while it starts or stops for a service that waits for what nobody is seen to end.</summary>
public sealed class HostRule : IRule
{
    private static readonly Gap[] s_whoEnds = [new("who ends that wait", "nobody owns it; no other thread and no async method of the program is seen to make progress")];

    public RuleInfo Info { get; } = new(
        "HT6005", "host that does not start or stop", "A generic host waits while it starts or stops for a service that waits for what does not come.")
    {
        Patterns = Pattern.HostStuck,
        Needs = Need.Threads | Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        HostStage? stage = HostStage.Of(context);
        return context.Managed?.Flows?.Gap is { } gap ? RuleOutcome.Blind(gap)
            : stage is null || HostStage.SomethingMoves(context, stage) ? RuleOutcome.Clean()
            : RuleOutcome.Of([stage.Flow is { } flow ? Describe(context, stage, flow) : Describe(context, stage, stage.Thread!)]);
    }

    private Observation Describe(RuleContext context, HostStage stage, FlowGroup flow)
    {
        Claim text = FlowText.Of(flow);
        Claim method = FlowText.Method(flow);
        Claim loop = flow.LoopEnd switch
        {
            FlowLoopEnd.None => ", in a loop that has no way out",
            FlowLoopEnd.WithoutToken => ", in a loop that ignores the token for its stop",
            _ => Claim.Empty,
        };
        return Describe(stage) with
        {
            Title = stage.IsEndless
                ? (Claim)$"The host {stage.Does}: {method} goes round a loop that has no way out and does not look at the token for its stop"
                : $"The host {stage.Does}: {text}{loop}, and nothing is seen to end that",
            Culprit = Parties.OfFlow(flow) with { Role = "the host waits for it" },
            Evidence =
            [
                new Evidence($"{text}{loop}", flow.LoopEnd is null ? "heap walk" : "heap walk and instructions", Trust.Derived) { Address = flow.Waits.Address },
                .. FlowText.AwaitedBy(flow) is { } callers ? new[] { new Evidence($"awaited by {callers}", "heap walk", Trust.Derived) } : [],
            ],
            Gaps = stage.IsEndless ? [new Gap("exceptions", "one that a call in the loop throws would end it, too; which calls can throw is not known")] : s_whoEnds,
            Victims = [.. context.Flows.Groups.Where(group => HostStage.IsHost(group.Method)).Take(1).Select(Parties.OfFlow)],
            Signature = Signature.OfMethods(Info, flow.Method),
        };
    }

    private Observation Describe(RuleContext context, HostStage stage, StuckRunner thread)
    {
        Claim label = Parties.Label(context, thread.Runner);
        Claim does = thread.Tell(context);
        return Describe(stage) with
        {
            Title = $"The host {stage.Does}: {label} {does}, and nothing is seen to end that",
            Culprit = Parties.OfThread(context, thread.Runner) with { Role = does },
            Watched = [thread.Runner],
            Evidence =
            [
                new Evidence($"{label}, which the host waits for, {does}", "stack", thread.End.Trust) { Thread = thread.Runner },
            ],
            Signature = Signature.Of(Info, thread.End.Thread.Stack.Frames),
        };
    }

    private Observation Describe(HostStage stage) => new()
    {
        Rule = Info,
        Pattern = Pattern.HostStuck,
        Links = LinkTrust.Concluded,
        Title = Claim.Empty,
        Gaps = s_whoEnds,
        Advice = AdviceFor(stage.Phase),
        Signature = Info.Id,
    };

    private static IReadOnlyList<Claim> AdviceFor(HostPhase phase) => phase switch
    {
        HostPhase.Start =>
        [
            "Return from StartAsync before the service's work begins: start a task, or derive from BackgroundService and await early.",
            "Pass the token that StartAsync was given to every wait of it.",
        ],
        HostPhase.Stop =>
        [
            "Let the service's loop end when it is asked to stop: pass the token to every wait of it, or complete its channel in StopAsync.",
            "Give StopAsync an end of its own: await the loop with WaitAsync and the token that StopAsync was given.",
        ],
        _ =>
        [
            "Let requests end when the server stops: pass IHostApplicationLifetime.ApplicationStopping and HttpContext.RequestAborted to every wait of theirs.",
            "Give the stop a time (HostOptions.ShutdownTimeout): after it the server drops the connections that are left.",
        ],
    };
}
