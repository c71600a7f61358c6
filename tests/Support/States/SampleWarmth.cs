using System.Text.Json;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Support.States;

/// <summary>Which methods of a sample's hang have to be code of tier 1 where it has warmed up: "warm" in its expected.json.</summary>
public static class SampleWarmth
{
    // Also that of a loop which was compiled again while it ran: OptimizedTier1OSR.
    private const string Tier1 = "OptimizedTier1";

    /// <summary>Empty where the sample has no way to warm up.</summary>
    public static IReadOnlyList<string> Of(string sample) => ExpectedVerdict.FileOf(sample)["warm"].Deserialize<string[]>() ?? [];

    /// <summary>The first method that is on no stack, or on one with other code; null where each is as it has to be.</summary>
    public static string? Missing(IReadOnlyList<string> warm, StateFacts dump, CompiledCode compiled)
    {
        foreach (string method in warm)
        {
            string?[] tiers = [.. dump.Threads.SelectMany(thread => thread.InstructionsOf(method)).Select(compiled.TierOf)];
            if (tiers.Length == 0)
            {
                return $"{method} is on no stack: {string.Join("; ", dump.Threads)}";
            }

            string?[] others = [.. tiers.Where(tier => tier?.StartsWith(Tier1, StringComparison.Ordinal) != true)];
            if (others.Length > 0)
            {
                return $"{method} is not warm: its code is {others[0] ?? "that which came with .NET"}";
            }
        }

        return null;
    }
}
