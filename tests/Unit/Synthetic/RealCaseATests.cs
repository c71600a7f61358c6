using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Unit.Synthetic;

public sealed class RealCaseATests
{
    [Fact]
    public void The_real_values_are_at_the_documented_places()
    {
        RealCaseA scenario = RealCaseA.Create();
        DumpBytes dump = new(scenario.Bytes);
        int threads = dump.Rva(MinidumpStream.ThreadList) + 4;
        ulong teb = dump.U64(threads + (48 * RealCaseA.OwnerIndex) + 16);
        ulong section = dump.Memory(dump.Memory(teb + 0x60)!.Value + 0x110)!.Value;

        Assert.Equal(0x6710u, dump.U32(threads + (48 * RealCaseA.OwnerIndex)));
        Assert.Equal(RealCaseA.VictimId, dump.U32(threads + (48 * RealCaseA.VictimIndex)));
        Assert.Equal(0x6710ul, dump.Memory(teb + 0x48));
        Assert.Equal(scenario.Truth.LoaderLock, section);
        Assert.Equal(0x1_FFFF_FFFEul, dump.Memory(section + 8));
        Assert.Equal(0x6710ul, dump.Memory(section + 0x10));
        Assert.Equal(0x400_0000ul, dump.Memory(section + 0x20));
    }

    [Fact]
    public void The_owner_spins_in_its_dlls_detach_code()
        => Assert.Equal(
            [
                "NtYieldExecution", "SwitchToThread", "wait_for_others", "DllMain", "LdrpCallInitRoutine",
                "LdrShutdownThread", "RtlExitUserThread", "BaseThreadInitThunk", "RtlUserThreadStart",
            ],
            RealCaseA.Create().Truth.Frames[RealCaseA.OwnerId].Select(frame => frame.Function.Name));

    [Fact]
    public void The_loaders_internals_are_not_exported()
        => Assert.Equal(
            ["NtWaitForSingleObject", "LdrLoadDll", "LoadLibraryExW", "mkl_malloc", "BaseThreadInitThunk", "RtlUserThreadStart"],
            RealCaseA.Create().Truth.Frames[RealCaseA.VictimId].Where(frame => frame.Function.IsExported).Select(frame => frame.Function.Name));

    [Fact]
    public void The_owner_burned_nearly_all_of_the_processs_life()
    {
        RealCaseATruth truth = RealCaseA.Create().Truth;

        Assert.InRange(truth.OwnerCpu!.Value / truth.ProcessAge, 0.99, 1.0);
    }

    [Fact]
    public void The_list_of_sections_is_a_circle_through_the_loader_lock()
    {
        RealCaseA scenario = RealCaseA.Create();
        DumpBytes dump = new(scenario.Bytes);
        ulong links = dump.Memory(scenario.Truth.LoaderLock)!.Value + 0x10;
        ulong head = dump.Memory(links)!.Value;

        Assert.NotEqual(links, head);
        Assert.Equal((links, links), (dump.Memory(head), dump.Memory(head + 8)));
        Assert.Equal(scenario.Truth.LoaderLock, dump.Memory(links - 8));
    }

    [Fact]
    public void Who_waits_for_the_section_has_a_wait_block_on_its_stack()
    {
        RealCaseA scenario = RealCaseA.Create(new RealCaseAOptions { Victim = RealCaseAVictim.WaitsForSection });
        DumpBytes dump = new(scenario.Bytes);
        ulong teb = dump.U64(dump.Rva(MinidumpStream.ThreadList) + 4 + (48 * RealCaseA.VictimIndex) + 16);
        ulong waitedFor = scenario.Truth.LoaderLock + 8;
        ulong block = dump.Memory(dump.Memory(teb + 0x60)!.Value + 0x3A0 + (((waitedFor >> 5) & 0x7F) * 8))!.Value;

        Assert.Equal((waitedFor, (ulong)RealCaseA.VictimId), (dump.Memory(block), dump.Memory(block + 8)));
        Assert.Equal(1u, (uint)dump.Memory(teb + 0x1760)!.Value);
        Assert.Equal(-6, (int)dump.Memory(waitedFor)!.Value);
    }

    [Fact]
    public void The_load_owner_flag_is_set_only_where_asked_for()
    {
        Assert.Equal(0ul, Flags(new RealCaseAOptions()) & 0x1000);
        Assert.Equal(0x1000ul, Flags(new RealCaseAOptions { OwnerHasLoadOwnerFlag = true }) & 0x1000);

        static ulong Flags(RealCaseAOptions options)
        {
            DumpBytes dump = new(RealCaseA.Create(options).Bytes);
            ulong teb = dump.U64(dump.Rva(MinidumpStream.ThreadList) + 4 + (48 * RealCaseA.OwnerIndex) + 16);
            return dump.Memory(teb + 0x17EE)!.Value & 0xFFFF;
        }
    }

    [Fact]
    public void What_is_left_out_is_not_there()
    {
        RealCaseA bare = RealCaseA.Create(new RealCaseAOptions
        {
            Owner = RealCaseAOwner.Gone,
            Victim = RealCaseAVictim.None,
            HasCpuTimes = false,
            HasStacks = false,
            HasImages = false,
        });
        DumpBytes dump = new(bare.Bytes);

        Assert.Null(dump.Stream(MinidumpStream.ThreadInfoList));
        Assert.DoesNotContain(RealCaseA.OwnerId, bare.Truth.Frames.Keys);
        Assert.Null(bare.Truth.Victim);
        Assert.All(bare.Truth.Frames.Values, frames => Assert.Null(dump.Memory(frames[0].Sp)));
        Assert.All(bare.Truth.Frames.Values, frames => Assert.Null(dump.Memory(frames[0].Ip)));
        Assert.Equal(RealCaseA.OwnerId, dump.Memory(bare.Truth.LoaderLock + 0x10));
    }

    [Theory]
    [InlineData(true, null, -2)]
    [InlineData(false, null, -1)]
    [InlineData(true, 1, 1)]
    public void The_lock_count_is_what_the_state_or_the_option_says(bool isHeld, int? given, int expected)
    {
        RealCaseA scenario = RealCaseA.Create(new RealCaseAOptions { IsHeld = isHeld, LockCount = given });

        Assert.Equal(expected, (int)new DumpBytes(scenario.Bytes).Memory(scenario.Truth.LoaderLock + 8)!.Value);
    }
}
