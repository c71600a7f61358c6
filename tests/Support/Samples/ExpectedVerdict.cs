using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace HangTriage.Tests.Support.Samples;

/// <summary>What a sample must be judged as: its expected.json.</summary>
public sealed record ExpectedVerdict
{
    internal static JsonSerializerOptions Json { get; } = new()
    {
        PropertyNameCaseInsensitive = true,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    };

    public required string Kind { get; init; }

    public string? Confidence { get; init; }

    public required int ExitCode { get; init; }

    /// <summary>The rule that decides; null where none does.</summary>
    public string? Rule { get; init; }

    public ExpectedCulprit? Culprit { get; init; }

    /// <summary>The names of the threads in the circle, in order from the first.</summary>
    public IReadOnlyList<string> Cycle { get; init; } = [];

    /// <summary>The names of the threads that are kept waiting, in any order.</summary>
    public IReadOnlyList<string> Victims { get; init; } = [];

    /// <summary>What is expected wherever the file's cells do not say otherwise.</summary>
    public static ExpectedVerdict Of(string sample) => Parse(FileOf(sample));

    internal static JsonObject FileOf(string sample)
        => JsonNode.Parse(File.ReadAllText(Repository.Sample(sample, "expected.json")))!.AsObject();

    internal static ExpectedVerdict Parse(JsonObject file)
    {
        JsonObject verdict = (JsonObject)file.DeepClone();
        verdict.Remove("cells");
        verdict.Remove("state");
        verdict.Remove("warm");
        return verdict.Deserialize<ExpectedVerdict>(Json)!;
    }
}
