using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Incident;

/// <summary>The locks that are held or waited for, and the thread pool.</summary>
internal sealed class IncidentLocks(TriageResult result, IPage page, IncidentOptions options)
{
    public void Write()
    {
        LockFacts[] locks = [.. Locks().Where(IsInUse)];
        if (locks.Length > 0)
        {
            page.Details($"Locks ({locks.Length})", [], () =>
            {
                page.Table(["Lock", "Held by", "Waiters"], [.. locks.Take(options.MaxItems).Select(Row)]);
                if (locks.Length > options.MaxItems)
                {
                    page.Paragraph($"And {locks.Length - options.MaxItems} more locks.");
                }
            });
        }

        if (PoolText.Of(result.Snapshot) is { Count: > 0 } pool)
        {
            page.Details("Thread pool", [], () => page.Box([.. pool.Select(row => (row.Name, (Claim)row.Value))]));
        }
    }

    private static bool IsInUse(LockFacts facts) => facts.Owner.HasValue || facts.IsHeld.Is(held => held) || facts.WaiterCount.Is(count => count > 0);

    private IEnumerable<LockFacts> Locks()
    {
        IEnumerable<LockFacts> managed = Managed()?.Locks is { } known && known.TryGet(out IReadOnlyList<LockFacts>? list) ? list : [];
        IEnumerable<LockFacts> native = result.Snapshot.NativeLocks is { } ofSystem && ofSystem.TryGet(out IReadOnlyList<LockFacts>? others) ? others : [];
        return managed.Concat(native);
    }

    private ManagedFacts? Managed() => result.Snapshot.Managed is { } managed && managed.TryGet(out ManagedFacts? facts) ? facts : null;

    private IReadOnlyList<Claim> Row(LockFacts facts)
    {
        string name = facts.Field is { } field && field.TryGet(out string? holder) ? holder
            : facts.Name.TryGet(out string? type) && type.Length > 0 ? type
            : Words.Of(facts.Id.Kind);
        return
        [
            $"{name} ({Claim.Of(new ClaimPart(facts.Id.Address.ToString()) { Lock = facts.Id })})",
            facts.Owner.TryGet(out ThreadId owner) ? Thread(owner)
                : facts.OwnerHasEnded == true ? "a thread that has ended"
                : facts.IsHeld.Is(held => held) ? "not recorded"
                : Claim.Empty,
            facts.WaiterCount.TryGet(out uint waiters) ? waiters.ToString(CultureInfo.InvariantCulture) : "?",
        ];
    }

    private Claim Thread(ThreadId id)
        => result.Threads.FirstOrDefault(thread => thread.Thread.OsId == id) is { } known ? Involved.Name(known.Thread) : Claim.Of($"thread {id}");
}
