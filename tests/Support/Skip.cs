using System.Diagnostics.CodeAnalysis;

namespace HangTriage.Tests.Support;

/// <summary>Skips the running test with a reason. With CI=true a skip is a failure: the gate installs what tests need.</summary>
public static class Skip
{
    // xunit reports an exception with this prefix as a skipped test.
    private const string DynamicSkipPrefix = "$XunitDynamicSkip$";

    [DoesNotReturn]
    public static void Because(string reason)
    {
        bool isCi = string.Equals(Environment.GetEnvironmentVariable("CI"), "true", StringComparison.OrdinalIgnoreCase);
        throw new InvalidOperationException(isCi ? $"skipped while CI=true: {reason}" : DynamicSkipPrefix + reason);
    }
}
