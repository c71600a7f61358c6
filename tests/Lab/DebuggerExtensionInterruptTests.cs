using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>Ctrl+Break during !triage, on a live process of 1,500 threads.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
[Trait("Tier", "all")]
public sealed class DebuggerExtensionInterruptTests
{
    // Processor time of the debugger in ms: far above what is wanted (0.2 s), and the whole takes more. What else the machine does is not in it.
    private const int Bound = 2_000;

    [Fact]
    public void Ctrl_Break_ends_it_soon_and_what_was_half_seen_is_not_called_healthy()
    {
        // The first call has all code compiled; what was broken off is not kept, so each call behind it reads anew.
        IReadOnlyList<string> answers = DebuggerExtension.Answers(
            ["--dotnet", DebuggerExtension.DotNet10, "--attach", DebuggerExtension.EngineFile("crowd.exe")],
            "!triage", ".unload", DebuggerExtension.Load, "interrupt 0: triage", "interrupt 250: triage");

        Assert.Contains("== NOT HUNG", answers[0], StringComparison.Ordinal);
        Assert.All(answers.Skip(3), answer =>
        {
            Assert.Matches("triage: stopped (by the user after [^\n]*; what was read until then is judged|while the modules and threads were listed, or the trace was read; nothing was judged)", answer);
            Assert.DoesNotContain("== NOT HUNG", answer, StringComparison.Ordinal);
            Assert.Contains("HRESULT 0x80004004", answer, StringComparison.Ordinal);
            Match back = Regex.Match(answer, "back after [0-9]+ ms, ([0-9]+) ms of processor time");
            Assert.True(back.Success, answer);
            Assert.InRange(int.Parse(back.Groups[1].Value, CultureInfo.InvariantCulture), 0, Bound);
        });
    }
}
