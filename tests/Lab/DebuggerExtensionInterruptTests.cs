using System.Globalization;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>Ctrl+Break during !triage, on a live process of 1,500 threads.</summary>
public sealed class DebuggerExtensionInterruptTests
{
    // Far above what is wanted (0.2 s), and far below what the whole takes when the machine is that slow.
    private const int Bound = 2_000;

    [Theory]
    [InlineData(0)]
    [InlineData(250)]
    public void Ctrl_Break_ends_it_soon_and_what_was_half_seen_is_not_called_healthy(int milliseconds)
    {
        // The first call has all code compiled; loaded again, the extension reads anew.
        LabRun run = DebuggerExtension.RunLive(
            DebuggerExtension.DotNet10,
            DebuggerExtension.EngineFile("crowd.exe"),
            "!triage", ".echo then", ".unload", DebuggerExtension.Load, $"interrupt {milliseconds}: triage");

        string[] parts = run.Output.Split("then");
        Assert.Contains("== NOT HUNG", parts[0], StringComparison.Ordinal);
        Assert.Matches("triage: stopped (by the user after [^\n]*; what was read until then is judged|while the modules and threads were listed; nothing was judged)", parts[1]);
        Assert.DoesNotContain("== NOT HUNG", parts[1], StringComparison.Ordinal);
        Assert.Contains("HRESULT 0x80004004", parts[1], StringComparison.Ordinal);
        string back = parts[1].Split("back after ")[1].Split(' ')[0];
        Assert.InRange(int.Parse(back, CultureInfo.InvariantCulture), 0, Bound);
    }
}
