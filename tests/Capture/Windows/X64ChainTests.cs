using HangTriage.Capture.Windows.Unwind;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows;

public sealed class X64ChainTests
{
    [Fact]
    public void A_chained_part_undoes_its_own_prolog_and_then_all_of_its_parents()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(3, Push(3, R12), Push(1, Rbx)));
        image.Function(0x1100, 0x1200, Chained(4, image.Entry(0), AllocSmall(4, 24)));
        UnwindFixture.Stepped caller = new UnwindFixture(image, UnwindFixture.Words(5)).Step(0x1180);
        caller.AssertReturnsBehind(5);
        Assert.Equal(0x1003u, caller[R12]);
    }

    [Fact]
    public void At_the_begin_of_a_chained_part_the_parents_prolog_is_done_already()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(3, Push(3, R12), Push(1, Rbx)));
        image.Function(0x1100, 0x1200, Chained(4, image.Entry(0), AllocSmall(4, 24)));
        new UnwindFixture(image, UnwindFixture.Words(2)).Step(0x1100).AssertReturnsBehind(2);
    }

    [Fact]
    public void The_parents_prolog_is_done_however_close_to_it_the_part_lies()
    {
        ImageBytes image = new ImageBytes().Function(0x1100, 0x1104, Info(7, AllocSmall(7, 40)));
        image.Function(0x1104, 0x1200, Chained(0, image.Entry(0)));
        new UnwindFixture(image, UnwindFixture.Words(5)).Step(0x1105).AssertReturnsBehind(5);
    }

    [Fact]
    public void A_part_that_lies_below_its_parent_undoes_all_of_the_parents_prolog()
    {
        ImageBytes image = new();
        byte[] parent = [0x00, 0x12, 0, 0, 0x00, 0x13, 0, 0, 0, 0, 0, 0];
        byte[] part = Chained(0, parent);
        // The parent's unwind data follows that of the part.
        parent[8] = (byte)((part.Length + 7) & ~3);
        parent[9] = 0x60;
        image.Function(0x1000, 0x1100, Chained(0, parent)).Function(0x1200, 0x1300, Info(4, AllocSmall(4, 40)));
        new UnwindFixture(image, UnwindFixture.Words(5)).Step(0x1002).AssertReturnsBehind(5);
    }

    [Fact]
    public void An_odd_number_of_codes_is_padded_before_the_chained_entry()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(4, AllocSmall(4, 40)));
        image.Function(0x1100, 0x1200, Chained(5, image.Entry(0), Push(5, Rsi), Push(3, Rdi), Push(1, Rbx)));
        new UnwindFixture(image, UnwindFixture.Words(8)).Step(0x1180).AssertReturnsBehind(8);
    }

    [Fact]
    public void A_chain_that_runs_in_a_circle_ends()
    {
        ImageBytes image = new();
        byte[] self = [0x00, 0x10, 0, 0, 0x00, 0x11, 0, 0, 0x00, 0x60, 0, 0];
        image.Function(0x1000, 0x1100, Chained(0, self));
        Assert.Equal(UnwindStatus.BadUnwindData, new UnwindFixture(image, UnwindFixture.Words(5)).Step(0x1080).Status);
    }

    [Fact]
    public void An_entry_that_stands_for_another_is_unwound_as_that_one()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(4, AllocSmall(4, 40))).IndirectFunction(0x1100, 0x1200, 0);
        new UnwindFixture(image, UnwindFixture.Words(5)).Step(0x1180).AssertReturnsBehind(5);
    }

    [Fact]
    public void An_entry_that_stands_for_itself_is_no_endless_loop()
    {
        ImageBytes image = new ImageBytes().IndirectFunction(0x1000, 0x1100, 0);
        Assert.Equal(UnwindStatus.NoUnwindData, new UnwindFixture(image, UnwindFixture.Words(5)).Step(0x1080).Status);
    }
}
