using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Time;

namespace HangTriage.Rules;

/// <summary>What earlier samples say of the threads and locks of an observation.</summary>
internal sealed class FindingHistory
{
    private const string Source = "earlier capture";

    // One thread that runs breaks a circle; elsewhere others can be stuck while one runs.
    private const Pattern Circles = Pattern.ManagedLockCycle | Pattern.NativeLockCycle | Pattern.TaskCycle | Pattern.ContextCycle | Pattern.SignalCycle | Pattern.MessageCycle;

    // Who goes round a loop uses CPU at the same place: that is how it waits. Who does not stop for a collection is signalled again and again.
    private const Pattern Loops = Pattern.PollForNobody | Pattern.SpinLockLost | Pattern.SuspensionHeldUp;

    private readonly RuleContext _context;
    private readonly Observation _seen;
    private readonly ThreadId[] _stuck;
    private readonly (ThreadId Id, ThreadHistory History)[] _stuckThen = [];
    private readonly (LockId Id, LockHistory History)[] _handedOn = [];

    public FindingHistory(RuleContext context, Observation seen)
    {
        _context = context;
        _seen = seen;
        _stuck = [.. seen.Chain.Select(link => link.From.Thread).OfType<ThreadId>().Concat(seen.Watched).Distinct()];
        if (context.Timeline.IsOneInstant)
        {
            return;
        }

        _stuckThen = [.. Of(_stuck)];
        _handedOn =
        [
            .. from id in seen.Chain.Select(link => link.From.Lock).OfType<LockId>().Distinct()
               let history = context.Find(id) is { } @lock ? context.Timeline.Of(@lock) : null
               where history is { IsSameOwner: false, OwnerThen: not null }
               select (id, history),
        ];
    }

    public Samples Samples
        => _context.Timeline.IsOneInstant ? Samples.One
            : _handedOn.Any(pair => IsPassedOn(pair.Id, pair.History)) ? Samples.PassedOn
            : _handedOn.Length > 0 || _stuckThen.Any(thread => HasMovedOn(thread.History)) ? Samples.Moved
            : HaveStayed(_seen.Watched.Count > 0 ? _seen.Watched : _stuck) ? Samples.Stayed
            : Samples.One;

    /// <summary>Of the thread that matters most for the reason; null where none of them is in an earlier sample.</summary>
    public ThreadHistory? Leading
        => Of(_seen.Watched.Concat(_seen.Culprit?.Thread is { } culprit ? [culprit] : []).Concat(_stuck)).FirstOrDefault().History;

    /// <summary>As "thread 3 (0x12) moved on".</summary>
    public string WhatMoved
        => _stuckThen.FirstOrDefault(thread => HasMovedOn(thread.History)) is { History: not null } first ? $"{Parties.Label(_context, first.Id).Text} moved on"
            : _handedOn.Length > 0 ? $"{Parties.Label(_context, _handedOn[0].Id).Text} changed hands"
            : "a thread moved on";

    /// <summary>A thread that is said to be stuck and was elsewhere then, or has worked since, is not stuck since then; nor does who got a lock since hold it since then.</summary>
    public IEnumerable<Evidence> Movements()
        => _context.Timeline.IsOneInstant ? [] : _stuckThen.Concat(Of(_seen.Victims.Select(victim => victim.Thread).OfType<ThreadId>()))
            .DistinctBy(thread => thread.Id)
            .Where(thread => HasMovedOn(thread.History))
            .Select(thread => Describe(thread.Id, thread.History))
            .Concat(_handedOn.Select(pair => Describe(pair.Id, pair.History)));

    /// <summary>A trace shows that threads ran around the capture which would be blocked if this were right.</summary>
    public bool IsOverturned
    {
        get
        {
            ThreadId[] blocked = _seen.Watched.Count > 0 ? [.. _seen.Watched] : [.. _stuck.Concat(_seen.Victims.Select(victim => victim.Thread).OfType<ThreadId>())];
            return (_seen.Signs & Sign.TriesAgain) == 0
                && ((_seen.Pattern & Circles) != 0 ? _stuck.Any(Runs) : blocked.Length > 0 && blocked.All(Runs));
        }
    }

    /// <summary>As "thread 3 (0x12) ran for 3.2 s of the 4 s around the capture, ..."; the thread that ran for longest.</summary>
    public string WhatRan => Runs().FirstOrDefault()?.Claim.Text ?? "a thread of it runs";

    /// <summary>The threads that are said to be stuck, and ran around the capture.</summary>
    public IEnumerable<Evidence> Runs()
        => from id in _stuck
           let run = _context.Traced.RunOf(id)
           where run is not null
           orderby run.Running descending
           select new Evidence(
               $"{Parties.Label(_context, id)} ran for {Durations.Of(run.Running)} of the {Durations.Of(run.Length)} around the capture, was switched to {Count.Of((int)Math.Min(int.MaxValue, run.Switches), "time")} and never waited for longer than {Durations.Of(run.LongestWait)}",
               "trace",
               Trust.Derived) { Thread = id };

    /// <summary>Since when all threads of it stand where they stand; empty where one moved, or is not in an earlier sample.</summary>
    public IEnumerable<Evidence> Lasts()
    {
        if (_context.Timeline.IsOneInstant || !HaveStayed(_stuck) || _handedOn.Length > 0)
        {
            return [];
        }

        ThreadHistory latest = _stuckThen.MinBy(thread => thread.History.Samples).History;
        Claim who = _stuck is [ThreadId only]
            ? (Claim)$"{Parties.Label(_context, only)} was"
            : (Claim)string.Create(CultureInfo.InvariantCulture, $"all {_stuck.Length} threads of the chain were");
        string used = _stuckThen.All(thread => thread.History.Cpu is not null)
            ? $", and {(_stuck.Length == 1 ? "has" : "have")} used {Durations.Of(TimeSpan.FromTicks(_stuckThen.Sum(thread => thread.History.Cpu!.Value.Ticks)))} of CPU since"
            : string.Empty;
        return [new Evidence($"{who} at the same place {EarlierText.At(latest)}{EarlierText.Times(latest.Samples)}{used}", Source, Trust.Derived)];
    }

    private bool HasMovedOn(ThreadHistory history) => (_seen.Pattern & Loops) == 0 ? history.HasMovedOn : !history.IsSamePlace || history.IsSameWait == false;

    private bool Runs(ThreadId thread) => _context.Traced.RunOf(thread) is not null;

    private bool HaveStayed(IReadOnlyCollection<ThreadId> threads)
    {
        ThreadHistory[] then = [.. Of(threads).Select(thread => thread.History)];
        return then.Length > 0 && then.Length == threads.Count && !then.Any(history => HasMovedOn(history) || history.IsOpen);
    }

    private IEnumerable<(ThreadId Id, ThreadHistory History)> Of(IEnumerable<ThreadId> threads)
    {
        foreach (ThreadId id in threads.Distinct())
        {
            if (_context.Find(id) is { } thread && _context.Timeline.Of(thread.Thread) is { } history)
            {
                yield return (id, history);
            }
        }
    }

    // Whoever held it then stood where its owner stands now, and has released it since: so may this one.
    private bool IsPassedOn(LockId id, LockHistory history)
        => history.HolderThen is { Stack.Frames.Count: > 0 } then
            && _context.Find(id)!.Owner.TryGet(out ThreadId owner)
            && _context.Find(owner) is { } now
            && Place.IsSame(now.Thread, then);

    private Evidence Describe(LockId id, LockHistory history)
        => new($"{Parties.Label(_context, id)} was held by {Parties.Label(_context, history.OwnerThen!.Value)} {EarlierText.At(history.Between)}: it has changed hands", Source, Trust.Derived)
        {
            Address = id.Address,
        };

    private static string Items(uint completed) => Count.Of((int)Math.Min(int.MaxValue, completed), "work item");

    private Evidence Describe(ThreadId id, ThreadHistory history)
    {
        Claim label = Parties.Label(_context, id);
        string then = EarlierText.At(history);
        Claim claim = history switch
        {
            { Completed: { } completed and > 0 }
                => (Claim)$"{label} has completed {Items(completed)} {EarlierText.Since(history)}",
            { IsSamePlace: true, IsSameWait: false } => (Claim)$"{label} waited for something else {then}: it has waited for less than that",
            { IsSamePlace: true } => $"{label} waited at the same place {then}, and has used {Durations.Of(history.Cpu ?? TimeSpan.Zero)} of CPU since: it continued in between",
            _ => $"{label} was elsewhere {then}: it has waited for less than that",
        };
        return new Evidence(claim, Source, Trust.Derived) { Thread = id };
    }
}
