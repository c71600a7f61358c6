using System.Globalization;

namespace HangTriage.Facts;

/// <summary>Decides whether an earlier sample is of the process that is judged, and how long before it was taken.</summary>
internal static class SampleJoiner
{
    /// <param name="last">The sample that is judged.</param>
    /// <param name="earlier">The one before it.</param>
    /// <param name="given">The earlier one's place in the order that the user gives.</param>
    public static SampleJoin Join(ProcessSnapshot last, ProcessSnapshot earlier, int given)
    {
        TargetFacts now = last.Target;
        TargetFacts then = earlier.Target;
        return WhyNot(now, then) is { } whyNot
            ? SampleJoin.Refused(given, whyNot)
            : SampleJoin.Joined(given, By(now, then), TimeBetween.Of(last, earlier));
    }

    private static JoinedBy By(TargetFacts now, TargetFacts then)
        => IdentityOf(now)?.Seed.HasValue == true && IdentityOf(then)?.Seed.HasValue == true ? JoinedBy.RandomSeed
            : now.StartedAt.HasValue && then.StartedAt.HasValue ? JoinedBy.StartTime
            : JoinedBy.UsersWord;

    private static string? WhyNot(TargetFacts now, TargetFacts then)
    {
        if (!now.Pid.TryGet(out uint pid) || !then.Pid.TryGet(out uint pidThen))
        {
            return "whether it is of the same process cannot be told: a process id is not known";
        }

        if (pid != pidThen)
        {
            return string.Create(CultureInfo.InvariantCulture, $"it is of another process: {pidThen}, not {pid}");
        }

        if (now.Os != then.Os || now.Architecture != then.Architecture)
        {
            return "it is of another process: system or architecture differ";
        }

        if (now.StartedAt.TryGet(out DateTimeOffset start) && then.StartedAt.TryGet(out DateTimeOffset startThen)
            && (start - startThen).Duration() > Thresholds.StartResolution)
        {
            return string.Create(CultureInfo.InvariantCulture, $"it is of another process: that one started at {startThen:u}, this one at {start:u}");
        }

        return IdentityOf(now) is { } identity && IdentityOf(then) is { } identityThen && WhyNot(identity, identityThen) is { } whyNot ? whyNot
            : TimeBetween.ByClocks(now, then) <= TimeSpan.Zero ? "it was not taken before the other"
            : null;
    }

    private static string? WhyNot(ProcessIdentity now, ProcessIdentity then)
        => now.Seed.TryGet(out string? seed) && then.Seed.TryGet(out string? seedThen) && seed != seedThen
                ? "it is of another process: the same id, but another random seed"
            : Differ(now.Program, then.Program) || Differ(now.Loader, then.Loader) || Differ(now.SystemPage, then.SystemPage)
                ? "it is of another process: the same id, but loaded at other addresses"
            : null;

    private static bool Differ(Address? now, Address? then) => now is not null && then is not null && now != then;

    private static ProcessIdentity? IdentityOf(TargetFacts target)
        => target.Identity is { } known && known.TryGet(out ProcessIdentity? identity) ? identity : null;
}
