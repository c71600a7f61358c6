namespace HangTriage.Facts;

/// <summary>Puts the samples before the last in the order of time.</summary>
internal static class SampleOrder
{
    /// <param name="given">In the order that the user gives.</param>
    public static IEnumerable<(ProcessSnapshot Sample, SampleJoin Join)> Of(IEnumerable<(ProcessSnapshot Sample, SampleJoin Join)> given)
    {
        (ProcessSnapshot Sample, SampleJoin Join)[] all = [.. given];
        (ProcessSnapshot Sample, SampleJoin Join)[] joined = [.. all.Where(pair => pair.Join.IsJoined)];
        return all.Where(pair => !pair.Join.IsJoined).Concat(
            joined.All(pair => TimeBetween.HasClock(pair.Sample.Target)) ? joined.OrderBy(pair => pair.Sample.Target.CapturedAt.Value) : joined);
    }
}
