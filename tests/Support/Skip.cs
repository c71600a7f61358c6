using System.Diagnostics.CodeAnalysis;

namespace HangTriage.Tests.Support;

/// <summary>Skips the running test with a reason. With CI=true a skip is a failure: the gate installs what tests need.</summary>
public static class Skip
{
    // xunit reports an exception with this prefix as a skipped test.
    private const string DynamicSkipPrefix = "$XunitDynamicSkip$";

    /// <summary>
    /// Where the kernel or the user's rights are other than the test needs, which nothing changes that could be installed: no failure anywhere.
    /// </summary>
    [DoesNotReturn]
    public static void OnThisMachine(string reason) => throw new InvalidOperationException(DynamicSkipPrefix + reason);

    [DoesNotReturn]
    public static void Because(string reason)
    {
        bool isCi = string.Equals(Environment.GetEnvironmentVariable("CI"), "true", StringComparison.OrdinalIgnoreCase);
        if (isCi)
        {
            throw new InvalidOperationException($"skipped while CI=true: {reason}");
        }

        OnThisMachine(reason);
    }
}
