using System.Globalization;
using HangTriage.Facts;
using HangTriage.Traces.Tags;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Summary;

/// <summary>Names the frames of stacks, and counts samples by function.</summary>
internal sealed class FunctionSummary(TraceBuilder builder, StackTags tags)
{
    /// <summary>Frames of a stack that a report shows.</summary>
    private const int MostFrames = 40;

    private readonly Dictionary<(ProcessLine?, ulong), string> _names = [];

    public Known<IReadOnlyList<string>> Stack(StackRef stack, ProcessLine? process)
    {
        IReadOnlyList<ulong> frames = builder.Tree.Frames(stack);
        return frames.Count > 0
            ? Known.Read<IReadOnlyList<string>>([.. frames.Take(MostFrames).Select(ip => NameOf(ip, process))])
            : Known.Unknown<IReadOnlyList<string>>("stack", "the trace has none for this event");
    }

    public IReadOnlyList<TraceFunction> Of(SampleCounts samples, ProcessLine? process)
    {
        Dictionary<string, (long Self, long Inclusive)> counts = new(StringComparer.Ordinal);
        HashSet<string> seen = [];
        foreach ((StackRef stack, long count) in samples.Stacks)
        {
            seen.Clear();
            IReadOnlyList<ulong> frames = builder.Tree.Frames(stack);
            for (int i = 0; i < frames.Count; i++)
            {
                string name = NameOf(frames[i], process);
                (long self, long inclusive) = counts.GetValueOrDefault(name);
                counts[name] = (self + (i == 0 ? count : 0), inclusive + (seen.Add(name) ? count : 0));
            }
        }

        return
        [
            .. counts.Select(pair => new TraceFunction(pair.Key, pair.Value.Self, pair.Value.Inclusive))
                .OrderByDescending(function => function.Self).ThenByDescending(function => function.Inclusive).ThenBy(function => function.Name, StringComparer.Ordinal)
                .Take(TraceSummary.MostNamed),
        ];
    }

    /// <summary>What the samples stand for, most first.</summary>
    public IReadOnlyList<TraceTag> TagsOf(SampleCounts samples, ProcessLine? process) =>
    [
        .. samples.Stacks
            .Select(pair => (Tag: TagOf(pair.Key, process), Count: pair.Value))
            .Where(pair => pair.Tag is not null)
            .GroupBy(pair => pair.Tag!, StringComparer.Ordinal)
            .Select(group => new TraceTag(group.Key, group.Sum(pair => pair.Count)))
            .OrderByDescending(tag => tag.Samples).ThenBy(tag => tag.Name, StringComparer.Ordinal)
            .Take(TraceSummary.MostNamed),
    ];

    /// <summary>What a stack means; null where no tag fits it.</summary>
    public string? TagOf(StackRef stack, ProcessLine? process) => tags.Of(builder.Tree.Frames(stack).Select(ip => NameOf(ip, process)));

    private string NameOf(ulong ip, ProcessLine? process)
    {
        if (!_names.TryGetValue((process, ip), out string? name))
        {
            name = process?.Images.Find(ip) ?? builder.Kernel.Find(ip) ?? string.Create(CultureInfo.InvariantCulture, $"0x{ip:x}");
            _names.Add((process, ip), name);
        }

        return name;
    }
}
