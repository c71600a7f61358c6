using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>A crash that is the process's own: an exception that nothing handled, a fault, an abort.</summary>
internal sealed class Crash
{
    private const int MostCallers = 6;

    // The runtime's marks of a throw that is under way: by code and by the processor; before .NET 9 the first is that of any call into it.
    private const string MarkOfThrow = "ExceptionFrame]";
    private const string MarkOfCall = "[HelperMethodFrame";

    private readonly CrashFacts _facts;
    private readonly ThreadFacts? _thread;
    private readonly ThrownException? _exception;

    private Crash(CrashFacts facts, ThreadFacts? thread, ThrownException? exception, bool isFailFast = false)
    {
        IsFailFast = isFailFast;
        _facts = facts;
        _thread = thread;
        _exception = exception;
    }

    /// <summary>Watchdogs end a program by it because it hangs: that is the verdict where a wait is open.</summary>
    public bool IsFailFast { get; }

    /// <summary>No hang explains it. A program can abort because it hangs, and that is then the verdict.</summary>
    public bool IsCertain => _exception is not null || _facts.Origin != CrashOrigin.Abort;

    /// <summary>
    /// Null where the input was written for no crash, for a signal that another process sent, as watchdogs do, and for one that
    /// nothing tells the origin of.
    /// </summary>
    public static Crash? Of(RuleContext context)
    {
        if (context.Snapshot.Target.Crash is not { Origin: not CrashOrigin.Sent } facts)
        {
            return null;
        }

        ThreadFacts? thread = facts.Thread is { } id ? context.Find(id)?.Thread : null;
        if (thread is not null && FailsFast(thread))
        {
            return new Crash(facts, thread, null, isFailFast: true);
        }

        ThrownException? exception = thread is not null && facts.Exception is { } last && IsThrowing(thread, last) ? last : null;
        return exception is not null || IsFault(facts) || (facts.Origin == CrashOrigin.Abort && IsSeen(context, thread))
            ? new Crash(facts, thread, exception)
            : null;
    }

    public Verdict Describe(RuleContext context, PolicyRow row)
    {
        string name = _exception?.Type ?? (IsFailFast ? "fail fast" : Named(_facts));
        FrameFacts? place = Place();
        Party? party = _thread is null ? null : Parties.OfThread(context, _thread.OsId);
        return new Verdict
        {
            Kind = row.Kind,
            Confidence = row.Confidence,
            ConfidenceReason = ReasonText.Of(row.Reason),
            Title = ShortTitle.Of($"crashed: {name}{(place is { Method: { } method } ? $" in {MethodText.Short(method)}" : string.Empty)}"),
            Culprit = party is null
                ? null
                : party with { Role = IsFailFast ? "ended the process by a fail fast"
                    : _exception is null ? $"got {name}"
                    : $"threw {name}, and nothing handled it" },
            Evidence = [.. Evidence(name, place)],
            Signature = Signature.Of($"crash {name}", _exception?.Frames ?? _thread?.Stack.Frames ?? []),
        };
    }

    private IEnumerable<Evidence> Evidence(string name, FrameFacts? place)
    {
        if (_exception is not null)
        {
            FrameFacts[] frames = [.. _exception.Frames.Where(frame => frame.Kind == FrameKind.Managed)];
            Claim thrown = frames.Length == 0
                ? Claim.Empty
                : $", thrown in {Claim.Join(", called by ", frames.Take(MostCallers).Select(Claim.Of))}";
            yield return new Evidence($"{name}{thrown}", "exception", Trust.Read) { Thread = _thread?.OsId };
        }

        yield return new Evidence($"the input was written for {Named(_facts)}", "signal or exception", Trust.Read)
        {
            Thread = _facts.Thread,
            Frame = _exception is null && place is not null ? Claim.Of(place) : null,
        };
    }

    // Where an exception was thrown again, its own frames say where it came from.
    private FrameFacts? Place()
        => _exception?.Frames
            .FirstOrDefault(UserCode.IsManaged) ?? UserCode.In(_thread) ?? (_exception?.Frames is [var first, ..] ? first : null);

    private static bool FailsFast(ThreadFacts thread)
        => thread.Stack.Frames.TakeWhile(frame => !UserCode.IsManaged(frame))
            .Any(frame => DotNetCalls.Find(frame)?.Meaning == CallMeaning.FailsFast);

    // One that was handled stays the thread's last one: where the thread stands tells whether it is under way.
    private static bool IsThrowing(ThreadFacts thread, ThrownException last)
        => thread.Stack.Frames is [{ Kind: FrameKind.Runtime, Method: { } mark }, ..]
            && (mark.EndsWith(MarkOfThrow, StringComparison.Ordinal)
                || (mark.StartsWith(MarkOfCall, StringComparison.Ordinal)
                    && thread.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Managed) is { Method: { } inner } top
                    && ManagedCalls.StateOf(top) is null
                    && last.Frames.Any(frame => frame.Method == inner)));

    // Nobody sends other signals to look at a process.
    private static bool IsFault(CrashFacts facts)
        => facts.Origin == CrashOrigin.Fault || (facts.Origin == CrashOrigin.Unknown && facts.Name is not "SIGABRT");

    // What a thread that aborts does can be a fail fast where .NET could not be read.
    private static bool IsSeen(RuleContext context, ThreadFacts? thread)
        => thread is not null && context.Snapshot.Managed is null or { HasValue: true };

    private static string Named(CrashFacts facts)
        => facts.Name.Length > 0 ? facts.Name : $"exception 0x{facts.Code:x8}";
}
