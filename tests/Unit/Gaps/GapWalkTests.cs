using System.Reflection;
using HangTriage.Facts;
using HangTriage.Rules;

namespace HangTriage.Tests.Unit.Gaps;

public sealed class GapWalkTests
{
    private static readonly Gap s_gap = new("probe", GapPlace.Why);

    [Fact]
    public void It_finds_a_gap_in_every_place_that_the_types_of_the_facts_have()
    {
        Case @case = Case.Of(FilledFacts.Snapshot());
        IReadOnlyList<GapPlace> places = GapPlaces.Of(@case, Triage.Judge(Case.Of(GapSamples.Read(GapSamples.Idle).Last)).Verdict);

        string[] missed = [.. places.Where(place => !GapWalk.Of(place.Probed().Last).Contains(place.Probe)).Select(place => place.Path)];

        Assert.Equal(PathsOf(typeof(ProcessSnapshot), string.Empty).Order(StringComparer.Ordinal), places.Select(place => place.Path).Order(StringComparer.Ordinal));
        Assert.Empty(missed);
    }

    [Fact]
    public void A_snapshot_without_a_gap_has_none() => Assert.Empty(GapWalk.Of(FilledFacts.Snapshot()));

    [Fact]
    public void It_finds_the_gaps_that_stand_beside_the_facts()
    {
        ProcessSnapshot snapshot = FilledFacts.Snapshot();

        Assert.Equal([s_gap], GapWalk.Of(snapshot with { Gaps = [s_gap] }));
        Assert.Equal([s_gap], GapWalk.Of(snapshot with { Stopped = s_gap }));
    }

    [Fact]
    public void It_looks_at_each_thread_once_and_at_no_frame()
    {
        ThreadFacts thread = FilledFacts.Snapshot().Threads.Value[0];
        CountingList<FrameFacts> frames = new([.. Enumerable.Repeat(thread.Stack.Frames[0], 1_000)]);
        CountingList<ThreadFacts> threads = new([.. Enumerable.Repeat(thread with { Stack = new StackFacts(frames, s_gap) }, 1_000)]);

        int found = GapWalk.Of(FilledFacts.Snapshot() with { Threads = Known.Read<IReadOnlyList<ThreadFacts>>(threads) }).Count();

        Assert.Equal(threads.Count, found);
        Assert.Equal(threads.Count, threads.Visits);
        Assert.Equal(0, frames.Visits);
    }

    /// <summary>The types of the facts hold no type within itself, so the walk is no deeper than they are.</summary>
    private static IEnumerable<string> PathsOf(Type record, string at, params IReadOnlyList<Type> within)
    {
        Assert.DoesNotContain(record, within);
        return Records.PropertiesOf(record).SelectMany(property => PathsOf(property, at + property.Name, [.. within, record]));
    }

    private static IEnumerable<string> PathsOf(PropertyInfo property, string path, IReadOnlyList<Type> within)
    {
        Type type = property.PropertyType;
        bool isKnown = Records.IsKnown(type);
        Type value = isKnown ? type.GetGenericArguments()[0] : type;
        Type item = value is { IsGenericType: true } && value.IsAssignableTo(typeof(System.Collections.IEnumerable)) ? value.GetGenericArguments()[0] : value;
        IEnumerable<string> inner = Records.IsRecord(item) ? PathsOf(item, path + ".", within) : [];
        return isKnown ? inner.Prepend(path) : inner;
    }
}
