using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>!triage beside SOS, which hosts .NET in the debugger as well; a stand-in starts it as SOS does.</summary>
public sealed class DebuggerExtensionSosTests
{
    private const string Found = "== DEADLOCK, certain: ";
    private const string ShutOut = "SOS came after !triage had started .NET here";

    /// <summary>What !triage would start by itself, and what SOS starts: another, and in the whole run the same, too.</summary>
    public static TheoryData<string, string> Versions =>
    [
        (DebuggerExtension.DotNet10, DebuggerExtension.DotNet8),
        .. Tier.IsWhole
            ? [(DebuggerExtension.DotNet8, DebuggerExtension.DotNet9), (DebuggerExtension.DotNet10, DebuggerExtension.DotNet10)]
            : Array.Empty<(string, string)>(),
    ];

    /// <summary>The same, where !triage does start it.</summary>
    public static TheoryData<string, string> StartedFirst =>
    [
        (DebuggerExtension.DotNet8, DebuggerExtension.DotNet8),
        (DebuggerExtension.DotNet9, DebuggerExtension.DotNet10),
        .. Tier.IsWhole
            ? [(DebuggerExtension.DotNet9, DebuggerExtension.DotNet9), (DebuggerExtension.DotNet10, DebuggerExtension.DotNet10)]
            : Array.Empty<(string, string)>(),
    ];

    private static string Dump => CommandLineReports.Dump("MonitorDeadlock");

    [Theory]
    [MemberData(nameof(Versions))]
    public void Where_SOS_has_started_DotNet_it_is_joined(string ours, string theirs)
    {
        LabRun run = Run(ours, theirs, DebuggerExtension.LoadSos, "!sos.ext", DebuggerExtension.Load, "call: triage", "call: triage", "!sos.ext");

        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Equal(2, run.Output.Split(Found).Length - 1);
        Assert.Contains("the session has not changed since", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("SOS came after", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Versions))]
    public void Where_SOS_is_loaded_it_starts_its_DotNet_first_and_says_nothing(string ours, string theirs)
    {
        LabRun run = Run(ours, theirs, DebuggerExtension.LoadSos, DebuggerExtension.Load, "call: triage", ".echo then", "!sos.ext");

        string[] parts = run.Output.Split("then");
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains(Found, parts[0], StringComparison.Ordinal);
        Assert.DoesNotContain("sos:", parts[0], StringComparison.Ordinal);
        Assert.Contains("sos: .NET runs", parts[1], StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(StartedFirst))]
    public void Where_SOS_comes_second_triage_says_so_if_it_has_no_place(string ours, string theirs)
    {
        LabRun run = Run(ours, theirs, DebuggerExtension.Load, "call: triage", DebuggerExtension.LoadSos, "!sos.ext", "call: triage");

        Assert.Equal(2, run.Output.Split(Found).Length - 1);
        Assert.Contains(ours == theirs ? "sos: .NET does not start: 0x80131022" : "sos: .NET runs", run.Output, StringComparison.Ordinal);
        Assert.Equal(ours == theirs, run.Output.Contains(ShutOut, StringComparison.Ordinal));
    }

    private static LabRun Run(string ours, string theirs, params string[] commands)
        => DebuggerExtension.Engine("--dotnet", ours, "--sos", theirs, Dump, commands);
}
