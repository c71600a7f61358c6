using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Unit.Synthetic;

public sealed class SyntheticStackTests
{
    [Fact]
    public void Every_caller_is_the_return_address_below_its_stack_pointer()
    {
        RealCaseA scenario = RealCaseA.Create();
        DumpBytes dump = new(scenario.Bytes);

        Assert.All(scenario.Truth.Frames.Values, frames =>
        {
            Assert.All(frames.Skip(1), caller => Assert.Equal(caller.Ip, dump.Memory(caller.Sp - 8)));
            Assert.Equal(0ul, dump.Memory(frames[^1].Sp + frames[^1].Function.FrameSize));
        });
    }

    [Fact]
    public void In_a_body_the_frame_size_leads_to_the_caller()
    {
        IEnumerable<IReadOnlyList<ExpectedFrame>> stacks = RealCaseA.Create().Truth.Frames.Values;

        Assert.All(
            stacks.SelectMany(frames => frames.Zip(frames.Skip(1))),
            pair => Assert.Equal(pair.Second.Sp, pair.First.Sp + pair.First.Function.FrameSize + 8));
    }

    [Fact]
    public void Behind_every_instruction_of_prolog_and_epilog_the_caller_is_the_same()
    {
        EveryUnwindKind scenario = EveryUnwindKind.Create();
        IEnumerable<IGrouping<SyntheticFunction, IReadOnlyList<ExpectedFrame>>> byFunction = scenario.Process.Threads
            .Select(thread => thread.ExpectedFrames)
            .Where(frames => frames.Count == 3 && frames[0].Function.Prolog is not null)
            .GroupBy(frames => frames[0].Function);

        Assert.All(byFunction, threads =>
        {
            Assert.Single(threads.Select(frames => frames[1].Ip).Distinct());
            Assert.Single(threads.Select(frames => frames[1].Sp & 0xF_FFFF).Distinct());
            Assert.Equal(threads.Count(), threads.Select(frames => frames[0].Ip).Distinct().Count());
        });
    }

    [Fact]
    public void The_epilog_restores_what_the_prolog_saved()
    {
        SyntheticImage image = UnwindKinds.Image();
        foreach (string name in new[] { "PushesAll", "Saves", "SavesXmm", "FrameWithSaves", "ListsThreeEpilogs" })
        {
            SyntheticFunction function = image[name];
            ExpectedFrame[] frames = [.. new SyntheticProcess().Thread(4)
                .InFunction(image, name, function.Size - 1)
                .CalledFrom(image, "PushesAll")
                .ExpectedFrames];

            Assert.All(ExpectedFrame.NonVolatile, register => Assert.Equal(frames[1].Registers[(int)register], frames[0].Registers[(int)register]));
            Assert.Equal(frames[1].Xmm, frames[0].Xmm);
            Assert.Equal(frames[1].Sp, frames[0].Sp + 8);
        }
    }

    [Fact]
    public void A_call_precedes_each_return_address()
    {
        SyntheticImage image = new SyntheticImage("k.dll", 0x1_8000_0000).Function("Outer", 0x80).Function("Inner", 0x80);
        new SyntheticProcess().Thread(4).InFunction(image, "Inner").CalledFrom(image, "Outer", 0x20).Lay();
        byte[] code = image.ToMemory().Bytes;
        int at = (int)image["Outer"].Rva + 0x20;

        Assert.Equal(0xE8, code[at - 5]);
        Assert.Equal((int)image["Inner"].Rva, at + BitConverter.ToInt32(code, at - 4));
    }

    [Fact]
    public void A_leaf_calls_nobody()
    {
        SyntheticImage image = UnwindKinds.Image();
        SyntheticThread thread = new SyntheticProcess().Thread(4).InFunction(image, "PushesAll").CalledFrom(image, "Leaf");

        Assert.Throws<InvalidOperationException>(thread.Lay);
    }

    [Fact]
    public void A_register_that_the_prolog_has_not_saved_cannot_be_set()
    {
        SyntheticImage image = UnwindKinds.Image();

        Assert.Throws<ArgumentException>(() => new SyntheticProcess().Thread(4).InFunction(image, "AllocatesLeast", null, frame => frame.Set(Register.Rbx, 1)));
    }
}
