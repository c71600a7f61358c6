using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Observing;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class HangSignatureTests
{
    private static readonly RuleInfo s_rule = new("HT1001", "name", "summary");

    [Fact]
    public void How_a_wait_gets_to_the_system_does_not_count_where_the_programs_own_code_is_seen()
    {
        HangSignature one = Of(["[HelperMethodFrame_1OBJ]", "System.Threading.Monitor.Enter(System.Object)", "App.Account.Move(App.Account)", "App.Program.Main()"]);
        HangSignature other = Of(
            ["libc.so.6!syscall+0x1d", "libcoreclr.so+0x4711", "System.Threading.Lock.EnterAndGetCurrentThreadId()", "System.Threading.Monitor.Enter_Slowpath(System.Object)", "App.Account.Move(App.Account)", "System.Threading.Thread.StartCallback()", "App.Program.Main()"]);

        Assert.Equal("HT1001/App.Account.Move<App.Program.Main", one.Text);
        Assert.Equal(one, other);
        Assert.Equal(one.Hash, other.Hash);
    }

    [Fact]
    public void The_order_of_threads_and_their_number_do_not_count()
    {
        string[][] stacks = [["App.Account.Move()"], ["App.Audit.Run()"]];
        Assert.Equal(Of(stacks), Of(stacks[1], stacks[0], stacks[1]));
        Assert.Equal(["App.Account.Move", "App.Audit.Run"], Of(stacks).Frames);
    }

    [Fact]
    public void Another_rule_and_another_method_are_another_hang()
    {
        HangSignature one = Of(["App.Account.Move()"]);
        Assert.NotEqual(one.Hash, Of(["App.Account.Take()"]).Hash);
        Assert.NotEqual(one.Hash, Signature.Of(s_rule with { Id = "HT1002" }, [Stack("App.Account.Move()")]).Hash);
    }

    [Fact]
    public void Of_native_stacks_the_programs_modules_count()
        => Assert.Equal(
            "HT1001/mkl_core!spin<app",
            OnWindows("ntdll!NtYieldExecution+0x14", "KERNELBASE!SwitchToThread+0x10", "mkl_core!spin+0x20", "app+0x1234", "ntdll!LdrShutdownThread+0x1"));

    [Fact]
    public void Where_nothing_is_the_programs_own_the_innermost_frames_tell()
        => Assert.Equal("HT1001/ntdll!NtWaitForSingleObject<ntdll!LdrpDrainWorkQueue", OnWindows("ntdll!NtWaitForSingleObject+0x14", "ntdll!LdrpDrainWorkQueue+0xd8"));

    [Fact]
    public void A_crowd_in_many_places_has_a_bounded_name_that_does_not_depend_on_their_order()
    {
        string[][] stacks = [.. Enumerable.Range(0, 500).Select(number => new[] { $"App.Many.Method{number:000}()" })];
        Assert.Equal(Of(stacks), Of([.. stacks.Reverse()]));
        Assert.InRange(Of(stacks).Text.Length, 1, Thresholds.StacksOfSignature * 32);
        Assert.Equal(3, Of(stacks).Frames.Count);
    }

    private static HangSignature Of(params string[][] stacks) => Signature.Of(s_rule, stacks.Select(Stack));

    private static string OnWindows(params string[] frames)
        => Signature.Of(s_rule, [SnapshotBuilder.Windows().Thread(0x1000, frames).Build().Threads.Value[0].Stack.Frames]).Text;

    private static IEnumerable<FrameFacts> Stack(params string[] frames) => SnapshotBuilder.Linux().Thread(0x1000, frames).Build().Threads.Value[0].Stack.Frames;
}
