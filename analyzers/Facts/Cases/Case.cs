namespace HangTriage.Facts;

/// <summary>
/// One process, looked at once or several times. One sample is the ordinary case. The last sample is the one that is
/// judged; those before it say since when. Immutable.
/// </summary>
public sealed record Case
{
    private Case(IReadOnlyList<ProcessSnapshot> samples, IReadOnlyList<SampleJoin> joins)
    {
        Samples = samples;
        Joins = joins;
    }

    /// <summary>At least one, in the order of time as far as it is known.</summary>
    public IReadOnlyList<ProcessSnapshot> Samples { get; }

    /// <summary>For each sample but the last, in the order of <see cref="Samples"/>: what joins it to the last, or why it is not joined.</summary>
    public IReadOnlyList<SampleJoin> Joins { get; }

    /// <summary>The user, or the time limit of a test runner, says that the process hangs: that it does not is no answer.</summary>
    public bool IsSaidToHang { get; init; }

    /// <summary>The tests that a test runner wrote down as started and not ended; empty where there is no such record.</summary>
    public IReadOnlyList<TestFacts> HungTests { get; init; } = [];

    /// <summary>A trace of the same time, joined or refused; null where none was given.</summary>
    public CaseTrace? Trace { get; init; }

    /// <summary>The sample that is judged.</summary>
    public ProcessSnapshot Last => Samples[^1];

    /// <summary>The samples of the process before the last, with what joins them to it; those that are not joined are left out.</summary>
    public IEnumerable<(ProcessSnapshot Sample, SampleJoin Join)> Earlier => Samples.Zip(Joins).Where(pair => pair.Second.IsJoined);

    /// <summary>The same case with a trace, which is joined to the sample that is judged, or refused.</summary>
    public Case With(string file, TraceFacts trace) => this with { Trace = new CaseTrace(file, trace, TraceJoiner.Join(Last, trace)) };

    /// <summary>Nothing was captured: a process is judged by a trace alone.</summary>
    public bool IsTraceAlone => Last.Target.Kind == TargetKind.Trace;

    /// <summary>A process in a trace, of which there is no capture.</summary>
    public static Case OfTrace(string file, TraceFacts trace, uint pid)
    {
        ArgumentNullException.ThrowIfNull(trace);
        return Of(TraceSnapshot.Of(trace, pid)).With(file, trace);
    }

    public static Case Of(ProcessSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        return new Case([snapshot], []);
    }

    /// <param name="snapshots">
    /// In the order that the user gives, the one to judge last. Clocks of the samples put those before it in order where
    /// all of them have one; else the order that is given counts.
    /// </param>
    /// <exception cref="ArgumentException">There is no sample.</exception>
    public static Case Of(IReadOnlyList<ProcessSnapshot> snapshots)
    {
        ArgumentNullException.ThrowIfNull(snapshots);
        if (snapshots.Count == 0)
        {
            throw new ArgumentException("A case has at least one sample.", nameof(snapshots));
        }

        ProcessSnapshot last = snapshots[^1];
        (ProcessSnapshot Sample, SampleJoin Join)[] earlier =
        [
            .. SampleOrder.Of(snapshots.Take(snapshots.Count - 1).Select((sample, given) => (sample, SampleJoiner.Join(last, sample, given)))),
        ];
        return new Case([.. earlier.Select(pair => pair.Sample), last], [.. earlier.Select(pair => pair.Join)]);
    }
}
