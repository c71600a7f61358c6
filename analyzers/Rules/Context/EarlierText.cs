using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Context;

/// <summary>Puts the time since an earlier capture into words, and says where it is assumed or not known.</summary>
internal static class EarlierText
{
    /// <summary>As "10 s earlier".</summary>
    public static string At(ThreadHistory history) => At(history.Between);

    /// <summary>As "10 s earlier".</summary>
    public static string At(Known<TimeSpan> between)
        => Length(between) is { } length ? $"{length} earlier{Doubt(between)}" : "in the earlier capture";

    /// <summary>As "in the 10 s since the earlier capture".</summary>
    public static string Since(ThreadHistory history)
        => Length(history.Between) is { } length ? $"in the {length} since the earlier capture{Doubt(history.Between)}" : "since the earlier capture";

    /// <summary>As ", in each of 3 captures"; empty for two, where the time says it all.</summary>
    public static string Times(int samples)
        => samples > 2 ? string.Create(CultureInfo.InvariantCulture, $", in each of {samples} captures") : string.Empty;

    private static string? Length(Known<TimeSpan> between) => between.TryGet(out TimeSpan span) ? Durations.Of(span) : null;

    private static string Doubt(Known<TimeSpan> between)
        => between is { HasValue: true, Trust: Trust.Assumed } ? " (assumed from the files' times)" : string.Empty;
}
