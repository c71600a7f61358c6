using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Lab;

/// <summary>Targets of !triage that are no dump of an x64 process.</summary>
public sealed class DebuggerExtensionTargetTests : IDisposable
{
    private const string Cached = "the session has not changed since";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_process_that_is_debugged_is_judged_where_it_has_broken_in_and_anew_once_it_has_run()
    {
        IReadOnlyList<string> answers = DebuggerExtension.Answers(
            ["--dotnet", DebuggerExtension.DotNet10, "--debug", "CriticalSectionCycle"], "call: triage", "call: triage", "running: triage", "call: triage");

        Assert.Contains("the process runs; break in first", answers[2], StringComparison.Ordinal);
        Assert.Contains("HRESULT 0x80070015", answers[2], StringComparison.Ordinal);
        string[] judged = [answers[0], answers[1], answers[3]];
        Assert.All(judged, answer => Assert.Contains("== DEADLOCK, certain", answer, StringComparison.Ordinal));
        Assert.Equal([false, true, false], judged.Select(answer => answer.Contains(Cached, StringComparison.Ordinal)));
    }

    [Fact]
    public void A_process_that_the_user_says_hangs_is_not_called_healthy()
    {
        IReadOnlyList<string> answers = DebuggerExtension.Answers(
            ["--dotnet", DebuggerExtension.DotNet10, CommandLineReports.Dump("Healthy")], "call: triage", "call: triage -hung");

        Assert.Contains("== NOT HUNG", answers[0], StringComparison.Ordinal);
        Assert.Contains("== ", answers[1], StringComparison.Ordinal);
        Assert.DoesNotContain("NOT HUNG", answers[1], StringComparison.Ordinal);
        Assert.Contains(Cached, answers[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Of_an_x86_process_the_native_half_is_judged()
    {
        string dump = _folder["x86.dmp"];
        File.WriteAllBytes(dump, new X86Hang().ToMinidump().Build());

        string answer = Assert.Single(DebuggerExtension.Answers(["--dotnet", DebuggerExtension.DotNet10, dump], "call: triage"));

        Assert.Contains($"critical section (0x{X86Hang.Section:x}) is held by thread 0 (0x{X86Hang.Owner:x})", answer, StringComparison.Ordinal);
        Assert.Contains("ntdll!RtlEnterCriticalSection+0x50", answer, StringComparison.Ordinal);
        Assert.Contains("Windows build 7601, x86, ", answer, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0xC0000005, "! CRASH: access violation (0xc0000005) in thread 1 (0x104).")]
    [InlineData(0x80000003, "== ")]
    public void A_dump_of_a_crash_says_so_in_its_first_line_and_one_that_a_debugger_wrote_does_not(uint code, string firstLine)
    {
        const uint ExceptionStream = 6;
        string dump = _folder["crash.dmp"];

        // MINIDUMP_EXCEPTION_STREAM: the thread's id, padding, the code, 148 bytes more of the exception, the place of the registers.
        byte[] exception = [.. BitConverter.GetBytes(X86Hang.Waiter), .. new byte[4], .. BitConverter.GetBytes(code), .. new byte[156]];
        File.WriteAllBytes(dump, new X86Hang().ToMinidump().RawStream(ExceptionStream, exception).Build());

        string answer = Assert.Single(DebuggerExtension.Answers(["--dotnet", DebuggerExtension.DotNet10, dump], "call: triage"));

        // Before it the engine warns of what the synthetic modules lack.
        Assert.StartsWith(firstLine, answer.Split('\n').First(line => line.StartsWith('!') || line.StartsWith("==", StringComparison.Ordinal)), StringComparison.Ordinal);
    }

    [Fact]
    public void A_kernel_target_is_refused_in_one_line()
    {
        string dump = _folder["kernel.dmp"];
        File.WriteAllBytes(dump, KernelDump.Create());

        string answer = Assert.Single(DebuggerExtension.Answers(["--dotnet", DebuggerExtension.DotNet10, dump], "call: triage"));

        // The engine's own complaints come first: this kernel has no threads.
        Assert.EndsWith("\ntriage: this is a kernel target; !triage judges user-mode processes\nHRESULT 0x8007000b", answer.ReplaceLineEndings("\n").Trim(), StringComparison.Ordinal);
        Assert.Single(answer.Split("triage: ").Skip(1));
    }
}
