using System.Globalization;

namespace HangTriage.Rules.Claims;

/// <summary>Writes lengths of time in the one style of all reports: 340 ms, 1.5 s, 2 min 14 s, 2 h 14 min, 3 d 4 h.</summary>
public static class Durations
{
    // Each limit is where the unit below would round up to one of the unit above.
    public static string Of(TimeSpan span) => span switch
    {
        _ when span == TimeSpan.MinValue => Of(TimeSpan.MinValue + TimeSpan.FromTicks(1)),
        { TotalMilliseconds: > -0.05 and < 0.05 } => "0 ms",
        { Ticks: < 0 } => "-" + Of(span.Negate()),
        { TotalMilliseconds: < 100 } => Text($"{span.TotalMilliseconds:0.#} ms"),
        { TotalSeconds: < 0.9995 } => Text($"{span.TotalMilliseconds:0} ms"),
        { TotalSeconds: < 59.95 } => Text($"{span.TotalSeconds:0.##} s"),
        { TotalSeconds: < 3_599.5 } => Pair(span.TotalSeconds, 60, "min", "s"),
        { TotalMinutes: < 1_439.5 } => Pair(span.TotalMinutes, 60, "h", "min"),
        _ => Pair(span.TotalHours, 24, "d", "h"),
    };

    private static string Pair(double small, int perLarge, string large, string unit)
    {
        long rounded = (long)Math.Round(small);
        return rounded % perLarge == 0 ? Text($"{rounded / perLarge} {large}") : Text($"{rounded / perLarge} {large} {rounded % perLarge} {unit}");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
