using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>
/// Reads how long the match of a regular expression may last, which its constructor was given: Regex.internalMatchTimeout, in ticks, and
/// -1 ms for no limit (.NET Framework 4.5 and later, all of .NET).
/// </summary>
internal static class MatchLimit
{
    private const string Limit = "internalMatchTimeout";
    private const string OfRunner = "runregex";

    /// <param name="held">What the frames of a thread refer to.</param>
    /// <returns>The longest, where all expressions have one; null where one has none, and where no expression is seen.</returns>
    public static TimeSpan? Of(IEnumerable<ClrObject> held)
    {
        TimeSpan[] limits = [.. held.Select(ExpressionOf).Where(found => !found.IsNull).DistinctBy(found => found.Address).Select(LimitOf)];
        return limits.Length == 0 || limits.Any(limit => limit <= TimeSpan.Zero) ? null : limits.Max();
    }

    private static ClrObject ExpressionOf(ClrObject found)
        => found.Type?.GetFieldByName(Limit) is not null ? found
            : found.Type?.GetFieldByName(OfRunner) is { IsObjectReference: true }
                && found.ReadObjectField(OfRunner) is { IsNull: false } expression
                && expression.Type?.GetFieldByName(Limit) is not null
                ? expression
                : default;

    private static TimeSpan LimitOf(ClrObject expression)
        => TimeSpan.FromTicks(expression.ReadValueTypeField(Limit).ReadField<long>("_ticks"));
}
