using System.Globalization;

namespace HangTriage.Tests.Unit.RulePages;

/// <summary>Writes a threshold's value as the pages of docs/rules do: "two", "a third", "5 s".</summary>
public static class ThresholdText
{
    private static readonly string[] s_counts = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

    private static readonly string[] s_tenths = ["nothing", "a tenth", "two tenths", "three tenths", "four tenths", "half", "six tenths", "seven tenths", "eight tenths", "nine tenths"];

    private static readonly Dictionary<double, string> s_parts = new()
    {
        [1.0 / 3] = "a third",
        [2.0 / 3] = "two thirds",
        [0.25] = "a quarter",
        [0.05] = "a twentieth",
        [0.01] = "a hundredth",
    };

    public static string Of(object? value) => value switch
    {
        int count => count < s_counts.Length ? s_counts[count] : count.ToString(CultureInfo.InvariantCulture),
        double share => Share(share),
        TimeSpan { TotalSeconds: >= 1 } time => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.###} s"),
        TimeSpan time => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0.###} ms"),
        _ => throw new ArgumentOutOfRangeException(nameof(value), value, "a threshold is a count, a share or a time"),
    };

    private static string Share(double share)
        => s_parts.TryGetValue(share, out string? part) ? part
            : double.IsInteger(share * 10) && share < 1 ? s_tenths[(int)(share * 10)]
            : string.Create(CultureInfo.InvariantCulture, $"{share * 100:0.##} %");
}
