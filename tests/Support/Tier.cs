namespace HangTriage.Tests.Support;

/// <summary>How much of the tests is run. The gate leaves out what is marked with the trait Tier=all, and runs what is marked with Tier=live by itself; `./test.sh --all` runs everything.</summary>
public static class Tier
{
    /// <summary>Whether everything is run: each framework, each program of tests/Truth.</summary>
    public static bool IsWhole { get; } = Environment.GetEnvironmentVariable("HANGTRIAGE_TESTS") == "all";
}
