using System.Globalization;
using HangTriage.Facts;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Summary;

/// <summary>Names the frames of stacks, and counts samples by function.</summary>
internal sealed class FunctionSummary(TraceBuilder builder)
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
