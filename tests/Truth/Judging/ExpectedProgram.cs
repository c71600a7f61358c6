using System.Text.Json;
using System.Text.Json.Serialization;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Truth.Judging;

/// <summary>A program and the verdict that an expert gives: an entry of expected.json. See README.md.</summary>
internal sealed record ExpectedProgram
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    };

    public required string Id { get; init; }

    public required string Package { get; init; }

    public required bool IsHung { get; init; }

    /// <summary>The kinds that are right, the best first.</summary>
    public required IReadOnlyList<string> Kinds { get; init; }

    /// <summary>Words, each with its alternatives, that name the culprit.</summary>
    public required IReadOnlyList<string> Culprit { get; init; }

    public required string Why { get; init; }

    /// <summary>Whether every run of the tests judges it; the others are judged where all are asked for.</summary>
    public bool InEveryRun { get; init; }

    public static string Folder { get; } = Path.Combine(Repository.Root, "tests", "Truth");

    public static IReadOnlyList<ExpectedProgram> All { get; }
        = JsonSerializer.Deserialize<ExpectedProgram[]>(File.ReadAllText(Path.Combine(Folder, "expected.json")), s_json)!;

    public override string ToString() => Id;
}
