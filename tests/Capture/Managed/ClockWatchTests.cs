using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>
/// A thread in native code that the runtime calls without a frame of its own, whose managed callers the runtime's own walk does not find.
/// </summary>
public sealed class ClockWatchTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_thread_in_the_systems_clock_has_its_managed_stack(TargetFramework framework)
    {
        ProcessSnapshot snapshot = Cores.Read(await Cores.TargetAsync("ClockWatch", framework));

        string?[] methods = [.. snapshot.Threads.Value.Single(thread => thread.ManagedId == 1).Stack.Frames
            .Where(frame => frame.Kind == FrameKind.Managed).Select(frame => frame.Method)];

        Assert.Equal(
            ["ClockWatch.Program.Watch", "ClockWatch.Program.Main"],
            methods.SkipWhile(method => method?.StartsWith("System.", StringComparison.Ordinal) == true));
    }
}
