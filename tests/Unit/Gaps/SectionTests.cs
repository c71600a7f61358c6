using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>Whole parts of the facts that are missing, as a small dump or a runtime that cannot be read leaves them out.</summary>
public sealed class SectionTests
{
    private static readonly string[][] s_parts =
    [
        ["Threads"],
        ["Modules"],
        ["Windows.LoaderLock"],
        ["Windows.Peb", "Windows.LoaderLock"],
        ["Windows.Locks", "Windows.Waits"],
        ["Windows.Locks", "Windows.Waits", "Windows.Handles"],
        ["Windows.Locks", "Windows.Waits", "Windows.LoaderLock"],
        ["Managed.Locks", "Managed.Waits"],
        ["Managed.Locks", "Managed.Waits", "Windows.Locks", "Windows.Waits"],
        ["Managed.Locks", "Managed.Waits", "Managed.Tasks"],
        ["Managed.Tasks"],
        ["Managed.UiThreads"],
        ["Managed.Tasks", "Managed.UiThreads"],
        ["Managed.Pool"],
        ["Managed.Pool", "Managed.Tasks"],
        ["Managed.Collections"],
        ["Managed"],
    ];

    private static readonly string[] s_partsEverywhere = ["Threads.Cpu", "Threads.Teb", "Threads.SystemCall", "Threads.IsInSystemCall", "Threads.Loop", "Threads.StartedAt"];

    public static TheoryData<string> Samples() => [.. GapSamples.Names];

    [Theory]
    [MemberData(nameof(Samples))]
    public void A_missing_part_never_looks_healthy_and_makes_no_verdict_surer(string sample)
    {
        Case @case = GapSamples.Read(sample);
        TriageResult before = Triage.Judge(@case);

        string[] wrongs = [.. s_parts.SelectMany(parts => Wrongs(before, parts))];

        Assert.True(wrongs.Length == 0, string.Join("\n", wrongs.Distinct()));
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void What_no_thread_has_never_looks_healthy_and_makes_no_verdict_surer(string sample)
    {
        Case @case = GapSamples.Read(sample);
        TriageResult before = Triage.Judge(@case);

        string[] wrongs = [.. s_partsEverywhere.SelectMany(part => WrongsEverywhere(before, part))];

        Assert.True(wrongs.Length == 0, string.Join("\n", wrongs.Distinct()));
    }

    [Fact]
    public void The_real_dump_of_a_loader_that_hangs_is_not_healthy_without_native_locks_and_waits()
    {
        Verdict verdict = Triage.Judge(Without(GapSamples.Read(GapSamples.Published), ["Windows.Locks", "Windows.Waits", "Windows.LoaderLock"])).Verdict;

        Assert.False(GapCheck.IsHealthy(verdict));
    }

    private static IEnumerable<string> Wrongs(TriageResult before, string[] parts)
    {
        Gap probe = new(string.Join(" and ", parts), GapPlace.Why);
        return GapCheck.Wrongs(before, Triage.Judge(Without(before.Case, parts)), probe);
    }

    // Where a source records no processor times at all, an owner in code of its own counts as one that makes progress while few wait
    // for it (docs/rules/HT3005.md): else hardly a busy program in a core of Linux could be called healthy.
    private static bool IsAllowedFor(TriageResult before, string part) => part == "Threads.Cpu" && before.Verdict.Kind == VerdictKind.BusyOwner;

    private static IEnumerable<string> WrongsEverywhere(TriageResult before, string part)
    {
        if (IsAllowedFor(before, part))
        {
            return [];
        }

        Gap probe = new($"{part} of every thread", GapPlace.Why);
        return GapCheck.Wrongs(before, Triage.Judge(GapEverywhere.Put(before.Case, part, probe)), probe);
    }

    private static Case Without(Case @case, string[] parts)
        => parts.Aggregate(@case, (rest, part) => GapEverywhere.Put(rest, part, new Gap($"probe of {part}", GapPlace.Why)));
}
