using System.Text.Json;

namespace HangTriage.Tests.Support.Samples;

/// <summary>What a sample must be judged as: its expected.json.</summary>
public sealed record ExpectedVerdict
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNameCaseInsensitive = true,
        UnmappedMemberHandling = System.Text.Json.Serialization.JsonUnmappedMemberHandling.Disallow,
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

    public static ExpectedVerdict Of(string sample)
        => JsonSerializer.Deserialize<ExpectedVerdict>(File.ReadAllText(Repository.Sample(sample, "expected.json")), s_options)!;
}
