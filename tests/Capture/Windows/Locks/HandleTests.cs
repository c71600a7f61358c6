using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows.Locks;

public sealed class HandleTests
{
    private const uint Pid = 0x1A2C;
    private const uint Owner = 0x100;
    private const uint Waiter = 0x104;

    private readonly NativeHang _hang = new();

    public HandleTests()
    {
        _hang.WriteLoaderLock();
        _hang.Idle(Owner);
    }

    private ProcessSnapshot Read(params SyntheticHandle[] handles)
    {
        SyntheticMinidump dump = _hang.Process.ToMinidump();
        Array.ForEach(handles, handle => dump.Handle(handle));
        return Captured.Of(dump);
    }

    private HandleFacts ReadOne(SyntheticHandle handle) => Assert.Single(Read(handle).Windows!.Handles.Value);

    private static SyntheticHandle Mutex(ulong value, uint owner)
        => new(value, "Mutant")
        {
            ObjectName = @"\Sessions\1\BaseNamedObjects\SettingsFile",
            Information = [KernelObjects.Mutant(owner == 0 ? 1 : 0), KernelObjects.MutantOwner(owner == 0 ? 0 : Pid, owner)],
        };

    [Fact]
    public void A_mutex_has_its_owner_and_its_name_without_its_folder()
    {
        HandleFacts mutex = ReadOne(Mutex(0x2A0, Owner));
        Assert.Equal((new Address(0x2A0), "Mutant", "SettingsFile"), (mutex.Value, mutex.Type.Value, mutex.Name.Value));
        Assert.Equal((new ThreadId(Owner), Trust.Assumed), (mutex.Owner!.Value, mutex.Owner.Trust));
        Assert.Equal((Pid, false), (mutex.TargetProcess!.Value, mutex.IsSignaled!.Value));
    }

    [Fact]
    public void A_free_mutex_has_no_owner()
    {
        HandleFacts mutex = ReadOne(Mutex(0x2A0, 0));
        Assert.Equal("nobody holds the mutex", mutex.Owner!.Gap?.Why);
        Assert.True(mutex.IsSignaled!.Value);
    }

    [Fact]
    public void Information_of_32_bit_writers_is_told_by_its_size()
    {
        Assert.Equal(new ThreadId(Owner), ReadOne(new SyntheticHandle(8, "Mutant") { Information = [KernelObjects.MutantOwner32(Pid, Owner)] }).Owner!.Value);
        Assert.Equal(new ThreadId(Owner), ReadOne(new SyntheticHandle(8, "Thread") { Information = [KernelObjects.Thread32(Pid, Owner)] }).TargetThread!.Value);
    }

    [Fact]
    public void Threads_processes_events_and_semaphores_say_what_they_are()
    {
        IReadOnlyList<HandleFacts> handles = Read(
            new SyntheticHandle(8, "Thread") { Information = [KernelObjects.Thread(Pid, Owner)] },
            new SyntheticHandle(12, "Process") { Information = [KernelObjects.Process(0x500, 4)] },
            new SyntheticHandle(16, "Event") { Information = [KernelObjects.Event(true)] },
            new SyntheticHandle(20, "Semaphore") { Information = [KernelObjects.Semaphore(0, 5)] },
            new SyntheticHandle(24, null)).Windows!.Handles.Value;
        Assert.Equal((new ThreadId(Owner), Pid), (handles[0].TargetThread!.Value, handles[0].TargetProcess!.Value));
        Assert.Equal(0x500u, handles[1].TargetProcess!.Value);
        Assert.True(handles[2].IsSignaled!.Value);
        Assert.False(handles[3].IsSignaled!.Value);
        Assert.False(handles[4].Type.HasValue);
        Assert.Null(handles[4].Owner);
    }

    [Fact]
    public void Information_that_is_too_short_or_unknown_says_nothing()
    {
        HandleFacts handle = ReadOne(new SyntheticHandle(8, "Thread")
        {
            Information = [new SyntheticHandleInfo(1, [1, 2, 3]), new SyntheticHandleInfo(99, new byte[64]), KernelObjects.Thread(3, 5)],
        });
        Assert.Null(handle.TargetThread);
    }

    [Fact]
    public void A_thread_waits_for_the_mutex_whose_handle_its_first_argument_is()
    {
        _hang.WaitForObject(Waiter, 0x2A0, inArgument: true);

        ProcessSnapshot snapshot = Read(Mutex(0x2A0, Owner));
        WaitFacts wait = snapshot.WaitOf(Waiter)!;
        Assert.Equal((WaitKind.Acquire, new LockId(LockKind.Mutex, new Address(0x2A0)), Trust.Scanned), (wait.Kind, wait.Lock, wait.Trust));
        Assert.Equal("register rcx at the system call", wait.Source);
        LockFacts mutex = Assert.Single(snapshot.Locks());
        Assert.Equal(("SettingsFile", new ThreadId(Owner), true), (mutex.Name.Value, mutex.Owner.Value, mutex.IsHeld.Value));
    }

    [Fact]
    public void A_thread_waits_for_the_end_of_another()
    {
        _hang.WaitForObject(Waiter, 0x2A0, inArgument: false);

        WaitFacts wait = Read(new SyntheticHandle(0x2A0, "Thread") { Information = [KernelObjects.Thread(Pid, Owner)] }).WaitOf(Waiter)!;
        Assert.Equal((WaitKind.Exit, LockKind.Thread, new ThreadId(Owner), Pid), (wait.Kind, wait.Lock.Kind, wait.TargetThread!.Value, wait.TargetProcess!.Value));
        Assert.Equal("register rbx at the system call", wait.Source);
        Assert.Null(wait.Mode);
    }

    [Theory]
    [InlineData("Key")] // no object that is waited for
    [InlineData(null)]
    public void A_register_with_another_handle_is_no_wait_for_it(string? type)
    {
        _hang.WaitForObject(Waiter, 0x2A0, inArgument: true);

        ProcessSnapshot snapshot = Read(new SyntheticHandle(0x2A0, type));
        Assert.Null(snapshot.WaitOf(Waiter));
        Assert.NotNull(snapshot.GapOf("object that thread 0x104 waits for"));
    }

    [Fact]
    public void Two_preserved_registers_with_different_handles_are_a_gap()
    {
        _hang.WaitForObject(Waiter, 0x2A0, inArgument: false, other: 0x2A4);

        ProcessSnapshot snapshot = Read(new SyntheticHandle(0x2A0, "Event"), new SyntheticHandle(0x2A4, "Event"));
        Assert.Null(snapshot.WaitOf(Waiter));
        Assert.NotNull(snapshot.GapOf("object that thread 0x104 waits for"));
    }

    [Fact]
    public void A_first_argument_without_the_calls_number_in_rax_is_left_from_before()
    {
        _hang.WaitForObject(Waiter, 0x2A0, inArgument: false, stale: 0x2A4);

        Assert.Equal(0x2A0UL, Read(new SyntheticHandle(0x2A0, "Event"), new SyntheticHandle(0x2A4, "Event")).WaitOf(Waiter)!.Lock.Address.Value);
    }

    [Fact]
    public void Without_handles_no_wait_is_told_from_a_register()
    {
        _hang.WaitForObject(Waiter, 0x2A0, inArgument: true);

        ProcessSnapshot snapshot = Read();
        Assert.Empty(snapshot.Waits());
        Assert.Contains("no HandleData stream", snapshot.Windows!.Handles.Gap?.Why, StringComparison.Ordinal);
        Assert.Equal("NtWaitForSingleObject", snapshot.Threads.Value[1].SystemCall!.Value.Name.Value);
        Assert.Equal(4u, snapshot.Threads.Value[1].SystemCall!.Value.Number.Value);
    }

    [Fact]
    public void A_wait_for_several_things_has_a_wait_for_each()
    {
        _hang.WaitForObjects(Waiter, 0x2A0, 0x2A4);

        IReadOnlyList<WaitFacts> waits = Read(Mutex(0x2A0, Owner), new SyntheticHandle(0x2A4, "Event")).Waits();
        Assert.Equal([(LockKind.Mutex, WaitMode.AllOrAny), (LockKind.Event, WaitMode.AllOrAny)], waits.Select(wait => (wait.Lock.Kind, wait.Mode!.Value)));
    }

    [Fact]
    public void A_list_of_things_that_are_not_all_handles_is_none()
    {
        _hang.WaitForObjects(Waiter, 0x2A0, 0x1234);

        Assert.Empty(Read(Mutex(0x2A0, Owner)).Waits());
    }

    [Fact]
    public void A_thread_that_waits_for_an_answer_is_joined_with_the_port_by_its_name()
    {
        _hang.WaitForReply(Waiter, 0x2A0);

        WaitFacts wait = Read(new SyntheticHandle(0x2A0, "ALPC Port") { ObjectName = @"\RPC Control\spoolss" }).WaitOf(Waiter)!;
        Assert.Equal((WaitKind.Reply, new LockId(LockKind.KernelObject, new Address(0x2A0))), (wait.Kind, wait.Lock));
        Assert.Null(Read(new SyntheticHandle(0x2A0, "Event")).WaitOf(Waiter));
    }

    [Fact]
    public void Counts_and_sizes_that_lie_are_cut_or_refused()
    {
        SyntheticMinidump dump = _hang.Process.ToMinidump().Handle(Mutex(0x2A0, Owner)).Lie(MinidumpStream.HandleData, lie => lie.Count(0xFFFF_FFFF));
        ProcessSnapshot snapshot = Captured.Of(dump);
        Assert.Single(snapshot.Windows!.Handles.Value);
        Assert.NotNull(snapshot.GapOf("handles"));

        dump = _hang.Process.ToMinidump().Handle(Mutex(0x2A0, Owner)).Handle(Mutex(0x2A4, Owner));
        Assert.Single(Captured.Of(dump, CaptureLimits.Default with { Handles = 1 }).Windows!.Handles.Value);
    }
}
