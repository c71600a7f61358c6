using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows.Locks;

public sealed class X86Tests
{
    private readonly X86Hang _hang = new();

    private static IReadOnlyList<string> Frames(ProcessSnapshot snapshot, int thread)
        => [.. snapshot.Threads.Value[thread].Stack.Frames.Select(f => $"{f.Trust} {f.Module}!{f.Method ?? "?"}")];

    [Theory]
    [InlineData(false)]
    [InlineData(true)] // a 64-bit dump of it
    public void Stack_names_system_call_loader_lock_and_wait_of_a_32_bit_process(bool wow64)
    {
        ProcessSnapshot snapshot = Captured.Of(_hang.ToMinidump(wow64: wow64));
        Assert.Equal(["Read ntdll.dll!NtWaitForSingleObject", "Derived ntdll.dll!RtlEnterCriticalSection", "Derived app.exe!?"], Frames(snapshot, 1));
        Assert.All(snapshot.Threads.Value, thread => Assert.Null(thread.Stack.Stopped));
        Assert.Equal((1u, "NtWaitForSingleObject"), (snapshot.Threads.Value[1].SystemCall!.Value.Number.Value, snapshot.Threads.Value[1].SystemCall!.Value.Name.Value));
        Assert.Equal("app.exe", snapshot.Target.ProcessName.Value);
        Assert.Equal(new Address(0x7EFD_E000), snapshot.Windows!.Peb.Value);
        Assert.Equal((X86Hang.LoaderLock, false), ((uint)snapshot.Windows.LoaderLock.Value.Id.Address.Value, snapshot.Windows.LoaderLock.Value.IsHeld.Value));

        WaitFacts wait = Assert.Single(snapshot.Waits());
        Assert.Equal((X86Hang.Waiter, X86Hang.Section, Trust.Scanned), (wait.Thread.Value, (uint)wait.Lock.Address.Value, wait.Trust));
        Assert.Equal(X86Hang.Owner, Assert.Single(snapshot.Locks()).Owner.Value.Value);
        Assert.Equal(wow64, snapshot.GapOf("64-bit stacks") is not null);
        Assert.Equal(wow64 ? TargetArchitecture.X64 : TargetArchitecture.X86, snapshot.Target.Architecture);
    }

    [Fact]
    public void A_section_that_is_held_and_that_nobody_waits_for_is_no_wait()
    {
        _hang.Held(-2, X86Hang.Owner);
        Assert.Empty(Captured.Of(_hang.ToMinidump()).Waits());
    }

    [Theory]
    [InlineData(int.MinValue, X86Hang.Owner, false)] // half a billion waiters
    [InlineData(int.MinValue, X86Hang.Owner, true)]
    [InlineData(-7, X86Hang.Owner, false)] // neither held nor free
    [InlineData(-7, X86Hang.Owner, true)]
    [InlineData(-1, X86Hang.Owner, true)] // free, with an owner left from before
    [InlineData(-6, X86Hang.Waiter, true)] // its own
    [InlineData(-6, 0x103u, false)] // no thread id is odd
    [InlineData(-6, uint.MaxValue, true)]
    public void Counts_and_owners_that_lie_make_no_wait_of_a_32_bit_process(int lockCount, uint owner, bool wow64)
    {
        _hang.Held(lockCount, owner);

        Assert.Empty(Captured.Of(_hang.ToMinidump(wow64: wow64)).Waits());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_owner_of_a_32_bit_process_that_is_gone_stays_the_owner(bool wow64)
    {
        _hang.Held(-6, 0x7000);

        ProcessSnapshot snapshot = Captured.Of(_hang.ToMinidump(wow64: wow64));

        Assert.Equal(X86Hang.Waiter, Assert.Single(snapshot.Waits()).Thread.Value);
        Assert.Equal(0x7000u, Assert.Single(snapshot.Locks()).Owner.Value.Value);
    }

    [Fact]
    public void Without_code_no_call_can_be_seen_and_the_frames_are_guesses()
    {
        ProcessSnapshot snapshot = Captured.Of(_hang.ToMinidump(withCode: false));
        Assert.All(snapshot.Threads.Value, thread => Assert.All(thread.Stack.Frames.Skip(1), frame => Assert.Equal(Trust.Scanned, frame.Trust)));
        Assert.False(snapshot.Windows!.Waits.HasValue);
    }

    [Theory]
    [InlineData(0u)] // leads to itself
    [InlineData(0xFFFF_FF00u)] // leads back
    [InlineData(0x1000_0000u)] // leads off the stack
    [InlineData(0x31u)] // leads to no word
    public void A_frame_pointer_that_leads_nowhere_ends_the_stack(uint distance)
    {
        _hang.Overwrite(_hang.WaiterFrame, unchecked(_hang.WaiterFrame + distance));

        StackFacts stack = Captured.Of(_hang.ToMinidump()).Threads.Value[1].Stack;
        Assert.Equal(3, stack.Frames.Count);
        Assert.NotNull(stack.Stopped);
    }

    [Fact]
    public void A_return_address_that_no_call_is_before_is_passed_over_by_a_guess()
    {
        _hang.Overwrite(_hang.WaiterFrame + 4, 0x0040_1090);
        _hang.Overwrite(_hang.WaiterFrame + 0x10, 0x0040_1080);

        Assert.Equal("Scanned app.exe!?", Frames(Captured.Of(_hang.ToMinidump()), 1)[2]);
    }

    [Fact]
    public void The_handle_that_a_thread_waits_for_is_the_first_argument_on_its_stack()
    {
        SyntheticMinidump dump = _hang.ToMinidump()
            .Handle(new SyntheticHandle(0x44, "Thread") { Information = [KernelObjects.Thread32(0x1A2C, X86Hang.Waiter)] });

        WaitFacts wait = Captured.Of(dump).WaitOf(X86Hang.Owner)!;
        Assert.Equal((WaitKind.Exit, X86Hang.Waiter), (wait.Kind, wait.TargetThread!.Value.Value));
        Assert.Equal("stack arguments of the system call", wait.Source);
    }

    [Fact]
    public void An_export_far_below_an_address_does_not_name_it()
    {
        _hang.Overwrite(_hang.WaiterFrame + 4, _hang.Ntdll.CallBefore(0x1700));
        Assert.Equal("Derived ntdll.dll!?", Frames(Captured.Of(_hang.ToMinidump()), 1)[2]);
    }

    [Fact]
    public void Of_a_64_bit_dump_without_the_32_bit_registers_the_other_side_is_not_taken_for_them()
    {
        ProcessSnapshot snapshot = Captured.Of(_hang.ToMinidump(wow64: true).Without(MinidumpStream.Memory64List));
        Assert.False(snapshot.Windows!.LoaderLock.HasValue);
        Assert.Contains(snapshot.Gaps, gap => gap.Why.Contains("WoW64", StringComparison.Ordinal));
    }
}
