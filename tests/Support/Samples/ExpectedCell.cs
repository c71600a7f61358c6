using System.Text.Json;
using System.Text.Json.Nodes;

namespace HangTriage.Tests.Support.Samples;

/// <summary>What is expected of one sample on one framework in one kind of dump: a verdict, a gap, or that it is not run.</summary>
public sealed record ExpectedCell
{
    private static readonly Dictionary<DumpKind, CellRule> s_ofEverySample = new()
    {
        [DumpKind.Mini] = new CellRule("a mini core has no heap") { Gap = "the heap is not in the input" },
        [DumpKind.WindowsOnLinux] = new CellRule("the library that reads a Windows runtime's data is Windows code") { Gap = "can be read on Windows x64 alone" },
    };

    /// <summary>Null where a gap is expected, or nothing is run.</summary>
    public ExpectedVerdict? Verdict { get; private init; }

    /// <summary>Null where a verdict is expected, or nothing is run.</summary>
    public string? Gap { get; private init; }

    /// <summary>Why it is not as the sample's file says of all cells; null where it is.</summary>
    public string? Why { get; private init; }

    public bool IsSkipped => Verdict is null && Gap is null;

    public static ExpectedCell Of(string sample, string framework, DumpKind dump)
    {
        JsonObject file = ExpectedVerdict.FileOf(sample);
        CellRule? rule = RulesIn(sample, file).FirstOrDefault(rule => rule.IsFor(framework, dump)) ?? s_ofEverySample.GetValueOrDefault(dump);
        return rule switch
        {
            null => new ExpectedCell { Verdict = ExpectedVerdict.Parse(file) },
            { Skip: true } => new ExpectedCell { Why = rule.Why },
            { Gap: { } gap } => new ExpectedCell { Gap = gap, Why = rule.Why },
            _ => new ExpectedCell { Verdict = ExpectedVerdict.Parse(Replace(file, rule.Expect ?? [])), Why = rule.Why },
        };
    }

    private static IReadOnlyList<CellRule> RulesIn(string sample, JsonObject file)
    {
        CellRule[] rules = file["cells"].Deserialize<CellRule[]>(ExpectedVerdict.Json) ?? [];
        CellRule? unclear = rules.FirstOrDefault(rule => string.IsNullOrEmpty(rule.Why) || Says(rule) != 1);
        return unclear is null
            ? rules
            : throw new InvalidDataException($"samples/{sample}/expected.json: a cell has \"why\" and one of \"expect\", \"gap\" and \"skip\", not {unclear}");
    }

    private static int Says(CellRule rule) => (rule.Skip ? 1 : 0) + (rule.Gap is null ? 0 : 1) + (rule.Expect is null ? 0 : 1);

    private static JsonObject Replace(JsonObject file, JsonObject members)
    {
        JsonObject merged = (JsonObject)file.DeepClone();
        foreach ((string name, JsonNode? value) in members)
        {
            merged.Remove(name);
            if (value is not null)
            {
                merged.Add(name, value.DeepClone());
            }
        }

        return merged;
    }
}
