using System.Text.Json;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Support.States;

/// <summary>What has to be true in a dump of a sample, so that it is the moment that the sample is about.</summary>
public static class SampleState
{
    public static IReadOnlyList<StateExpectation> Of(string sample, string framework, DumpKind dump)
        => [.. Read(sample).Where(expected => (expected.Framework is null || expected.Framework == framework) && (expected.Dump is null || IsOf(expected.Dump, dump)))];

    private static StateExpectation[] Read(string sample)
    {
        StateExpectation[] state = ExpectedVerdict.FileOf(sample)["state"].Deserialize<StateExpectation[]>(ExpectedVerdict.Json) ?? [];
        return state.All(IsClear)
            ? state
            : throw new InvalidDataException($"samples/{sample}/expected.json: an entry of \"state\" speaks of threads (\"in\"), of a \"lock\" or of the \"heap\", not {state.First(expected => !IsClear(expected))}");
    }

    private static bool IsClear(StateExpectation expected)
        => (expected.In.Count > 0 ? 1 : 0) + (expected.Lock is null ? 0 : 1) + (expected.Heap is null ? 0 : 1) == 1
            && expected.Heap is null or "whole"
            && expected.In.Concat(expected.NotIn).All(method => method.Split('|').All(part => part.Length > 0));

    private static bool IsOf(string name, DumpKind dump) => name == dump.Name() || name == (dump.IsCore() ? "linux" : "windows");
}
