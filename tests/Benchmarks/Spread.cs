using System.Globalization;

namespace HangTriage.Benchmarks;

/// <summary>The middle of some measurements, and their ends.</summary>
internal sealed record Spread(double Median, double Least, double Most)
{
    public static Spread Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        double median = (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
        return new Spread(median, sorted[0], sorted[^1]);
    }

    public string Seconds() => Text("0.000", " s");

    public string Ratio() => Text("0.00", "");

    public string Whole() => Text("0", "");

    private string Text(string format, string unit) => string.Create(
        CultureInfo.InvariantCulture,
        $"{Median.ToString(format, CultureInfo.InvariantCulture)}{unit} ({Least.ToString(format, CultureInfo.InvariantCulture)} to {Most.ToString(format, CultureInfo.InvariantCulture)})");
}
