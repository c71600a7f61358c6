namespace StaticConstructorCycle;

/// <summary>Its static constructor has a second thread load the rates, and that thread needs the class.</summary>
internal static class Rates
{
    private static readonly Dictionary<string, decimal> s_rates = [];

    static Rates()
    {
        Thread loader = Program.Start("loader", Load);
        loader.Join();
    }

    public static decimal Of(string currency) => s_rates[currency];

    public static void Load() => s_rates["EUR"] = 1;
}
