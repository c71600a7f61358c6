using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Loader;

/// <summary>A thread holds the loader lock and loops, waiting, while others cannot load or unload a library, start or exit.</summary>
public sealed class LoaderLockSpinnerRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3001", "loader lock held by a spinner", "A thread that holds the loader lock spins while others wait for the loader.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Windows is not { } windows)
        {
            return RuleOutcome.NotApplicable("only Windows processes have a loader lock");
        }

        if (context.Snapshot.Threads.Gap is { } noThreads)
        {
            return RuleOutcome.Blind(noThreads);
        }

        Finding[] findings =
        [
            .. LoaderLocks.HeldIn(context)
                .GroupBy(held => held.Owner.Value)
                .Select(group => Describe(context, group.Key, [.. group]))
                .OfType<Finding>(),
        ];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : WhyNone(context, windows);
    }

    private Finding? Describe(RuleContext context, ThreadId ownerId, LockFacts[] held)
    {
        if (context.Find(ownerId) is not { } owner)
        {
            return null;
        }

        HashSet<ThreadId> behind = [.. held.SelectMany(@lock => context.Graph.ThreadsBehind(WaitNode.Of(@lock.Id))).Select(node => node.Thread!.Value)];
        LoaderWait[] victims =
        [
            .. context.Threads
                .Where(thread => thread.State == ThreadActivity.WaitsForLoader && thread.Thread.OsId != ownerId && behind.Contains(thread.Thread.OsId))
                .Select(thread => LoaderWait.Of(thread.Thread)!),
        ];
        SpinSignals signals = SpinSignals.Of(owner, context);
        return victims.Length == 0 || signals.LoopsWaiting != true || signals.Spins == false
            ? null
            : new Case(context, Info, held, signals, victims).Describe();
    }

    private static RuleOutcome WhyNone(RuleContext context, WindowsFacts windows)
    {
        if (!windows.LoaderLock.TryGet(out LockFacts? loaderLock))
        {
            return RuleOutcome.Blind(windows.LoaderLock.Gap!);
        }

        if (!loaderLock.IsHeld.TryGet(out bool isHeld))
        {
            return RuleOutcome.Blind(loaderLock.IsHeld.Gap! with { What = "state of the loader lock" });
        }

        if (!isHeld)
        {
            return RuleOutcome.Clean();
        }

        if (!loaderLock.Owner.TryGet(out ThreadId owner))
        {
            return RuleOutcome.Blind(loaderLock.Owner.Gap! with { What = "owner of the loader lock" });
        }

        bool isWaitedFor = context.Threads.Any(thread => thread.State == ThreadActivity.WaitsForLoader && thread.Thread.OsId != owner);
        int unknown = context.Threads.Count(thread => thread.State == ThreadActivity.Unknown && thread.Thread.OsId != owner);
        return isWaitedFor || unknown == 0
            ? RuleOutcome.Clean()
            : RuleOutcome.Blind(new Gap(
                "who waits for the loader, which is held",
                string.Create(CultureInfo.InvariantCulture, $"what {unknown} of the threads do could not be told")));
    }

    /// <summary>The loader's locks that one spinning thread holds, and those who wait for them, put into words.</summary>
    private sealed class Case(RuleContext context, RuleInfo rule, LockFacts[] held, SpinSignals owner, LoaderWait[] victims)
    {
        private readonly string _held = LoaderLocks.InWords(held);
        private readonly string _owner = Parties.Label(context, owner.Thread.OsId);
        private readonly string _call = SpinText.Caught(owner);
        private readonly string? _loop = owner.Site is { } site ? FrameText.Of(site) : null;
        private readonly string? _duty = SpinText.LoaderDuty(owner.Thread);

        public Finding Describe()
        {
            string where = (_loop is null ? string.Empty : $" in {_loop}") + (_duty is null ? string.Empty : $" during {_duty}");
            string burned = owner.Cpu.TryGet(out CpuShare? share) ? $" and has burned {SpinText.Duration(share.Time.Total())} of CPU" : string.Empty;
            string first = Parties.Label(context, victims[0].Thread.OsId);
            string others = victims.Length == 1 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $" and {victims.Length - 1} more");
            string wait = victims.Length == 1 ? "waits" : "wait";
            bool isScanned = victims.All(victim => victim.Trust == Trust.Scanned);

            return new Finding
            {
                Rule = rule,
                Severity = Severity.Hang,
                Kind = VerdictKind.SpinningOwner,
                Confidence = owner.IsConfirmed && !isScanned ? Confidence.Likely : Confidence.Possible,
                ConfidenceReason = isScanned ? "the wait in the loader is guessed from stack words"
                    : owner.IsConfirmed && !owner.IsSameLoop ? "lock, owner, spin and victim are all seen; what the loop waits for is not"
                    : SpinText.Reason(owner),
                Title = $"{first}{others} {wait} for the loader; {_owner}, which {_held}, spins ({_call}{where}){SpinText.Loop(owner)}{burned}",
                Culprit = Parties.OfThread(context, owner.Thread.OsId) with { Role = $"{_held} and spins: {_call}{where}{SpinText.Loop(owner)}" },
                Chain =
                [
                    .. context.Graph.ChainFrom(WaitNode.Of(victims[0].Thread.OsId))
                        .TakeWhile(edge => edge.From.Thread != owner.Thread.OsId)
                        .Select(edge => Parties.Link(context, edge)),
                ],
                Victims = [.. victims.Select(victim => Parties.OfThread(context, victim.Thread.OsId) with { Role = RoleOf(victim) })],
                Evidence = [.. held.Select(LockEvidence), .. SpinText.Evidence(owner, _owner), .. victims.Select(VictimEvidence), DeadlockEvidence()],
                Contradictions = [.. SpinText.Contradictions(owner, _owner)],
                Gaps = SpinText.Gaps(owner),
                Advice = Advice(),
                Signature = Signature.Of(rule, owner.Thread.Stack.Frames),
            };
        }

        private Evidence LockEvidence(LockFacts @lock)
        {
            if (@lock.Id.Kind == LockKind.LoadInProgress)
            {
                return new Evidence($"{_owner} is marked as the load owner", "TEB.SameTebFlags", @lock.Owner.Trust) { Thread = owner.Thread.OsId };
            }

            string depth = @lock.Recursion.TryGet(out uint recursion) && recursion > 1
                ? string.Create(CultureInfo.InvariantCulture, $", entered {recursion} times")
                : string.Empty;
            string waiters = @lock.WaiterCount.TryGet(out uint count)
                ? string.Create(CultureInfo.InvariantCulture, $"; it counts {count} waiter{(count == 1 ? string.Empty : "s")}")
                : string.Empty;
            string note = count == 0 && victims.Any(victim => !victim.IsOnLock)
                ? ", since on Windows 10 and later a load waits for the load owner inside the loader and not on this lock"
                : string.Empty;
            return new Evidence($"the loader lock is held by {_owner}{depth}{waiters}{note}", "loader lock", @lock.Owner.Trust)
            {
                Thread = owner.Thread.OsId,
                Address = @lock.Id.Address,
            };
        }

        private Evidence VictimEvidence(LoaderWait victim)
            => new($"{Parties.Label(context, victim.Thread.OsId)} {RoleOf(victim)}", victim.Source, victim.Trust)
            {
                Thread = victim.Thread.OsId,
                Frame = victim.Entry is null ? null : FrameText.Of(victim.Entry),
            };

        private Evidence DeadlockEvidence()
            => new(
                $"it is a deadlock if the loop{(_loop is null ? string.Empty : $" in {_loop}")} waits for {Victim()}: "
                + $"{Victim()} cannot get on before the loader is free, and the loader is not free before the loop ends",
                "wait chain",
                Trust.Derived);

        private string Victim() => victims.Length == 1 ? Parties.Label(context, victims[0].Thread.OsId) : "one of the threads that wait";

        private static string RoleOf(LoaderWait victim)
        {
            string entry = victim.Entry?.Method is { } method ? $" in {method}" : string.Empty;
            return victim.IsOnLock ? $"waits{entry} for the loader lock" : $"waits{entry} for the load owner";
        }

        private IReadOnlyList<string> Advice()
            =>
            [
                $"Look at the loop{(_loop is null ? string.Empty : $" in {_loop}")}: what it waits for must not need the loader"
                + (_duty is null ? "." : $", because it runs during {_duty}."),
                "Do not wait for other threads in DllMain or in thread-exit callbacks; stop the library's threads by its own shutdown call first.",
            ];
    }
}
