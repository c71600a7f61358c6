using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Matrix;

public sealed class RetakesTests
{
    [Fact]
    public void Dumps_are_not_taken_again_for_ever_and_the_last_reason_is_told()
    {
        Retakes retakes = new();
        while (retakes.IsLeft(RetakeReason.OtherMoment))
        {
            retakes.Add(RetakeReason.OtherMoment, "full: in Thread.Yield");
        }

        Assert.Contains("full: in Thread.Yield", Assert.Throws<InvalidOperationException>(() => retakes.Add(RetakeReason.OtherMoment, "full: in Thread.Yield")).Message, StringComparison.Ordinal);
        Assert.True(retakes.IsLeft(RetakeReason.LibraryCrashed));
    }

    [Fact]
    public void The_table_says_how_often_and_why_dumps_were_taken_again()
    {
        Retakes retakes = new();
        retakes.Add(RetakeReason.OtherMoment, "full: in GC.Collect");
        retakes.Add(RetakeReason.OtherMoment, "full: in GC.Collect");
        retakes.Add(RetakeReason.LibraryCrashed, "crashed");
        MatrixRun run = new("UnloadHeldUp", TargetFramework.Net10, IsWindows: false);

        string table = MatrixTable.Of([new Cell(run, DumpKind.Full, "RuntimeStall") { Retakes = retakes.Told }, new Cell(run, DumpKind.Heap, "RuntimeStall") { Retakes = retakes.Told }]);

        Assert.Contains("dumps were taken again in 1 of 1 runs\n  UnloadHeldUp on net10.0: 2 x full: in GC.Collect; 1 x crashed\n", table, StringComparison.Ordinal);
    }
}
