using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Graph;

/// <summary>Waiters that are one box: threads that do the same, or async methods that wait at one place.</summary>
/// <param name="Node">Its box.</param>
/// <param name="Count">How many they are.</param>
internal sealed record PictureCrowd(PictureNode Node, int Count)
{
    /// <summary>Null for several.</summary>
    public Party? Party { get; private init; }

    public WaitTarget? Target { get; private init; }

    /// <summary>What they wait for, without addresses; null where that is not known.</summary>
    public string? TargetLabel { get; private init; }

    public static IEnumerable<PictureCrowd> Of(IReadOnlyList<Party> victims, IReadOnlyDictionary<ThreadId, ThreadAssessment> threads, TriageResult result)
    {
        ILookup<bool, Party> parties = victims.ToLookup(victim => victim.Thread is { } id && threads.ContainsKey(id));
        foreach (ThreadGroup group in ThreadGroup.Group(parties[true].Select(party => threads[party.Thread!.Value]).DistinctBy(thread => thread.Thread.OsId)))
        {
            yield return OfThreads(group);
        }

        foreach (Party other in parties[false])
        {
            FlowGroup? flow = ShownFlows.FactsOf(result.Snapshot)?.Groups.FirstOrDefault(group => group.Sample == other.Task);
            yield return flow is null
                ? new PictureCrowd(new PictureNode(other.Kind == PartyKind.Lock ? PictureNodeKind.Lock : PictureNodeKind.Task, PictureLines.Of(other, null)) { Thread = other.Thread }, 1) { Party = other }
                : OfFlows(flow, other, result.Verdict.Culprit is { } culprit && culprit.IsSame(other));
        }
    }

    private static PictureCrowd OfThreads(ThreadGroup group)
    {
        ThreadAssessment first = group.First;
        bool isOne = group.Threads.Count == 1;
        string name = isOne ? Involved.Label(first.Thread)
            : string.Create(CultureInfo.InvariantCulture, $"{group.Threads.Count} threads{(group.Name.Length > 0 ? $" \"{group.Name}\"" : string.Empty)}");
        return new PictureCrowd(
            new PictureNode(isOne ? PictureNodeKind.Thread : PictureNodeKind.Crowd, PictureLines.Of(name, first)) { Thread = first.Thread.OsId },
            group.Threads.Count)
        {
            Party = isOne ? Party.OfThread(first.Thread.OsId, name) : null,
            Target = first.WaitsFor,
            TargetLabel = first.WaitsFor is { } target ? PictureLines.Line(PlainLabel.Of(target.Name ?? target.Label)) : null,
        };
    }

    private static PictureCrowd OfFlows(FlowGroup flow, Party party, bool isCulprit)
        => new(
            new PictureNode(
                flow.Count == 1 ? PictureNodeKind.Task : PictureNodeKind.Crowd,
                [PictureLines.Line(flow.Count == 1 ? PlainLabel.Of(party.Label) : $"{flow.Count} x {PlainLabel.Of(party.Label)}"), .. flow.Source is { } line ? [PictureLines.Line($"at {line}")] : Array.Empty<string>()])
            {
                IsCulprit = isCulprit,
            },
            flow.Count)
        {
            Party = party,
            TargetLabel = FlowText.Thing(flow.Waits) is { } thing ? PictureLines.Line(thing) : null,
        };
}
