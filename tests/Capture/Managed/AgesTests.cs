using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Time;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>
/// The clock of a capture and the ages of waits, against what the program printed and the time that it notes itself all the while.
/// </summary>
public sealed class AgesTests
{
    // Between a stamp and the line that the program prints of it, and between two looks of its ticking thread at the clock.
    private static readonly TimeSpan s_apart = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task The_moment_of_the_capture_lies_within_its_bounds(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("Ages", framework);
        ClockFacts clock = Cores.Read(process).Managed!.Value.Clock!.Value;
        TimeSpan now = NowOf(process);

        Assert.InRange(now, clock.AtLeast - s_apart, clock.AtMost!.Value);
        Assert.True(clock.AtMost - clock.AtLeast < TimeSpan.FromSeconds(12), $"{clock.AtLeast} to {clock.AtMost}");
    }

    [Theory]
    [InlineData(TargetFramework.Net8, "monitor", "timed", "delay", "enter", "taken", "overdue")]
    [InlineData(TargetFramework.Net9, "monitor", "timed", "delay", "enter", "taken", "overdue", "lock", Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, "monitor", "timed", "delay", "enter", "taken", "overdue", "lock")]
    public async Task Each_age_holds_the_true_one(TargetFramework framework, params string[] ages)
    {
        DumpedProcess process = await Cores.TargetAsync("Ages", framework);
        ManagedFacts facts = Cores.Read(process).Managed!.Value;
        TimeSpan now = NowOf(process);

        Assert.All(ages, name =>
        {
            TimeSpan truth = now - process.Records("age")
                .Where(record => record["age"] == name)
                .Select(record => Milliseconds(record["start"]))
                .Max();
            Age age = AgeOf(facts, name) ?? throw new InvalidOperationException($"{name} has no age");
            Assert.InRange(age.AtLeast, TimeSpan.FromSeconds(1), truth + s_apart);
            Assert.True(!(age.AtMost < truth - s_apart), $"{name}: at most {age.AtMost}, and it was {truth}");
        });
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_monitor_that_goes_round_starves_nobody(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("Ages", framework);
        LockFacts turns = LockOf(Cores.Read(process).Managed!.Value, "Ages.Program.s_turns");

        // It is free for a moment between two turns: then there is no stamp.
        Assert.True(turns.Starvation is null || turns.Starvation.AtLeast < TimeSpan.FromSeconds(1), $"{turns.Starvation}");
    }

    private static Age? AgeOf(ManagedFacts facts, string name) => name switch
    {
        "monitor" => LockOf(facts, "Ages.Program.s_gate").Starvation,
        "lock" => LockOf(facts, "Ages.Program.s_lock").Starvation,
        "timed" when facts.Waits.Value.FirstOrDefault(wait => wait.Since is not null) is { } wait => wait.Since,
        // Before .NET 9 the runtime records no wait's limit.
        "timed" => LockOf(facts, "Ages.Program.s_gate").Starvation,
        "delay" => FlowOf(facts, "Ages.Program.DelayAsync").Since,
        "enter" => FlowOf(facts, "Ages.Program.EnterAsync").Since,
        "taken" => facts.Pool!.Value.LastTaken,
        "overdue" => facts.Pool!.Value.Overdue!.Longest,
        _ => null,
    };

    private static LockFacts LockOf(ManagedFacts facts, string field)
        => facts.Locks.Value.Single(found => found.Field?.Is(name => name == field) == true);

    private static FlowGroup FlowOf(ManagedFacts facts, string method) => facts.Flows!.Value.Groups.Single(group => group.Method == method);

    // By ClrMD alone.
    private static TimeSpan NowOf(DumpedProcess process)
    {
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        ClrInfo info = target.ClrVersions.Single();
        using ClrRuntime runtime = process.RuntimeFolder is { } folder
            ? info.CreateRuntime(Path.Combine(folder, "libmscordaccore.so"), ignoreMismatch: true)
            : info.CreateRuntime();
        ClrType program = runtime.EnumerateModules().Select(module => module.GetTypeByName("Ages.Program")).OfType<ClrType>().First();
        return TimeSpan.FromMilliseconds(program.GetStaticFieldByName("s_now")!.Read<long>(runtime.AppDomains[0]));
    }

    private static TimeSpan Milliseconds(string text) => TimeSpan.FromMilliseconds(long.Parse(text, CultureInfo.InvariantCulture));
}
