using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;
using HangTriage.Tests.Support.States;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Matrix;

/// <summary>Whether a dump is the right moment is said of made dumps and of a real one, right and wrong ones.</summary>
public sealed class StateTests
{
    private const string Made = """
        dump	made.core	heap
        thread	a1	main	
        frame	System.Threading.Thread.Sleep
        frame	Samples.Stage.Ready
        frame	Shop.Program.Main
        thread	a2	finalizer	
        frame	[DebuggerU2MCatchHandlerFrame]
        thread	a3	-	clerk
        frame	[InlinedCallFrame]
        frame	System.Threading.Monitor.Enter_Slowpath
        frame	Shop.Program.BookAll
        frame	Shop.Program+<>c.<Main>b__0_0
        thread	a4	-	.NET TP Worker
        frame	Shop.Program.Book
        lock	Shop.Ledger	a4	1
        lock	System.Object	0	2
        end
        """;

    public static TheoryData<string> Samples { get; } = [.. SampleList.Managed.Concat(SampleList.OfLinux)];

    public static TheoryData<StateExpectation> Right { get; } =
    [
        new StateExpectation { Thread = "main", In = ["Thread.Sleep", "Stage.Ready"] },
        new StateExpectation { Thread = "clerk", In = ["Monitor.ReliableEnter|Monitor.Enter_Slowpath", "Program.BookAll"] },
        new StateExpectation { Thread = "clerk", In = ["Monitor.*"], NotIn = ["Thread.Sleep"] },
        new StateExpectation { Thread = ".NET TP Worker", In = ["Program.Book"] },
        new StateExpectation { Thread = "clerk" },
        new StateExpectation { Thread = "clerk", NotIn = ["Thread.Sleep"] },
        new StateExpectation { In = ["Program.Book"], Count = 1 },
        new StateExpectation { In = ["Program.Book|Program.BookAll"], AtLeast = 2 },
        new StateExpectation { In = ["Barrier.SignalAndWait"], Count = 0 },
        new StateExpectation { Lock = "Ledger", Owner = ".NET TP Worker", Waiters = 1 },
        new StateExpectation { Lock = "System.Object", Owner = "gone" },
        new StateExpectation { Heap = "whole" },
    ];

    public static TheoryData<StateExpectation> Wrong { get; } =
    [
        new StateExpectation { Thread = "main", In = ["Stage.Ready", "Thread.Sleep"] },
        new StateExpectation { Thread = "main", In = ["Program.Main"], NotIn = ["Stage.Ready"] },
        new StateExpectation { Thread = "cashier" },
        new StateExpectation { Thread = "clerk", NotIn = ["Monitor.*"] },
        new StateExpectation { Thread = "clerk", In = ["Program.Book"] },
        new StateExpectation { In = ["Program.Book|Program.BookAll"] },
        new StateExpectation { In = ["Program.Book"], AtLeast = 2 },
        new StateExpectation { In = ["Program.Book"], Count = 0 },
        new StateExpectation { Lock = "Ledger", Owner = "clerk", Waiters = 1 },
        new StateExpectation { Lock = "Ledger", Owner = ".NET TP Worker", Waiters = 2 },
        new StateExpectation { Lock = "Journal" },
    ];

    [Theory]
    [MemberData(nameof(Right))]
    public void A_state_that_a_dump_holds_is_accepted(StateExpectation expected) => Assert.Null(StateCheck.Missing([expected], Facts(Made)));

    [Theory]
    [MemberData(nameof(Wrong))]
    public void A_state_that_a_dump_does_not_hold_is_refused(StateExpectation expected) => Assert.NotNull(StateCheck.Missing([expected], Facts(Made)));

    [Fact]
    public void A_dump_in_the_middle_of_a_collection_has_no_whole_heap()
        => Assert.NotNull(StateCheck.Missing([new StateExpectation { Heap = "whole" }], Facts(Made.Replace("\theap", "\tcollecting", StringComparison.Ordinal))));

    [Fact]
    public void What_was_broken_off_is_no_dump() => Assert.Empty(StateFacts.Parse(Made.Split('\n')[..^1]));

    [Theory]
    [MemberData(nameof(Samples))]
    public void Every_sample_says_what_has_to_be_true_in_its_dumps(string sample) => Assert.NotEmpty(SampleState.Of(sample, "net10.0", DumpKind.Full));

    [Fact]
    public async Task A_real_dump_holds_the_state_of_its_sample_and_of_no_other()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }

        DumpedProcess dumped = await CoreDumps.OfSampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Full, TestContext.Current.CancellationToken);
        StateReading reading = StateReading.Of([dumped.CorePath], isWindows: false);

        Assert.Null(reading.Failure);
        Assert.Equal(
            ["MonitorDeadlock"],
            SampleList.Managed.Where(sample => StateCheck.Missing(SampleState.Of(sample, "net10.0", DumpKind.Full), reading.Dumps[0]) is null));
    }

    [Fact]
    public void What_is_no_dump_is_not_read()
    {
        using TemporaryFolder folder = new();

        Assert.NotNull(StateReading.Of([folder.Write("text.core", "no core")], isWindows: false).Failure);
    }

    private static StateFacts Facts(string lines) => StateFacts.Parse(lines.Split('\n')).Single();
}
