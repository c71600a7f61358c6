using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows.Locks;

public sealed class SectionListTests
{
    private const uint Owner = 0x100;
    private const string What = "critical sections";

    private static readonly SyntheticCriticalSection s_held = new() { LockCount = -2, RecursionCount = 1, OwningThread = Owner };

    private readonly NativeHang _hang = new();
    private readonly ulong[] _sections;

    public SectionListTests()
    {
        _hang.Idle(Owner);
        _sections =
        [
            _hang.Listed(0, s_held), _hang.Listed(1, new SyntheticCriticalSection { OwningThread = Owner }),
            _hang.Listed(2, s_held), _hang.Listed(3, s_held with { LockCount = -7 }), _hang.Listed(4, s_held),
        ];
        _hang.WriteLoaderLock(s_held);
    }

    private static IEnumerable<ulong> Addresses(ProcessSnapshot snapshot) => snapshot.Locks().Select(section => section.Id.Address.Value);

    private void Link(int slot, int offset, ulong value) => _hang.Heap.U64(_hang.Heap.OffsetOf(_hang.DebugOf(slot) + 0x10) + offset, value);

    [Fact]
    public void Every_listed_section_that_is_not_free_is_found_without_symbols()
    {
        ProcessSnapshot snapshot = Captured.Of(_hang.Process);
        Assert.Equal([_sections[0], _sections[2], _sections[3], _sections[4]], Addresses(snapshot));
        Assert.Equal(new ThreadId(Owner), snapshot.Locks()[0].Owner.Value);
        Assert.False(snapshot.Locks()[2].IsHeld.HasValue);
        Assert.Null(snapshot.GapOf(What));
        Assert.Empty(snapshot.Waits());
    }

    [Fact]
    public void A_list_that_is_broken_is_read_from_both_ends()
    {
        Link(1, 0, 0x4444_4440);

        ProcessSnapshot snapshot = Captured.Of(_hang.Process);
        Assert.Equal([_sections[0], _sections[2], _sections[3], _sections[4]], Addresses(snapshot));
        Assert.Contains("breaks off", snapshot.GapOf(What)?.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_record_that_does_not_lead_back_is_not_followed()
    {
        Link(1, 8, 0);

        ProcessSnapshot snapshot = Captured.Of(_hang.Process);
        Assert.Contains("does not lead back", snapshot.GapOf(What)?.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_circle_without_the_loader_lock_ends()
    {
        // 0 -> 1 -> 2 -> 1, each leading back to where it was come from.
        Link(2, 0, _hang.DebugOf(1) + 0x10);
        Link(1, 8, _hang.DebugOf(2) + 0x10);
        Link(0, 0, _hang.DebugOf(2) + 0x10);
        Link(2, 8, _hang.DebugOf(0) + 0x10);
        Link(1, 0, _hang.DebugOf(0) + 0x10);
        Link(0, 8, _hang.DebugOf(1) + 0x10);

        Assert.NotNull(Captured.Of(_hang.Process).GapOf(What));
    }

    [Fact]
    public void A_list_is_bounded()
        => Assert.Equal(
            "more than 2 of them are not read",
            Captured.Of(_hang.Process, limits: CaptureLimits.Default with { CriticalSections = 2 }).GapOf(What)?.Why);

    [Fact]
    public void A_record_whose_section_does_not_name_it_is_no_section()
    {
        _hang.Heap.U64(_hang.Heap.OffsetOf(_sections[0]), ulong.MaxValue);

        ProcessSnapshot snapshot = Captured.Of(_hang.Process);
        Assert.DoesNotContain(_sections[0], Addresses(snapshot));
        Assert.Equal("2 records of their list lead to no section", snapshot.GapOf(What)?.Why);
    }

    [Fact]
    public void A_loader_lock_that_lists_only_itself_does_not_say_that_there_are_no_others()
    {
        ulong links = _hang.DebugOf(63) + 0x10;
        Link(63, 0, links);
        Link(63, 8, links);

        ProcessSnapshot snapshot = Captured.Of(_hang.Process);
        Assert.Empty(snapshot.Locks());
        Assert.Contains("the loader lock alone", snapshot.GapOf(What)?.Why, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ulong.MaxValue)]
    [InlineData(0)]
    [InlineData(0x1234_5671)]
    public void Without_a_debug_record_the_list_cannot_be_entered(ulong debug)
    {
        _hang.Ntdll.Data.U64(_hang.Ntdll.Data.OffsetOf(_hang.LoaderLock), debug);

        Assert.StartsWith(
            "the loader lock, which can lead to the list of them, has no debug record, and no other",
            Captured.Of(_hang.Process).GapOf(What)?.Why,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_loader_lock_outside_the_list_leaves_ntdlls_own_sections_to_enter_it()
    {
        NativeHang hang = new();
        hang.Idle(Owner);
        ulong section = hang.Listed(0, s_held);
        ulong own = hang.ListedInNtdll(s_held);
        hang.WriteLoaderLock(s_held, isListed: false);

        ProcessSnapshot snapshot = Captured.Of(hang.Process);
        Assert.Equal([section, own], Addresses(snapshot));
        Assert.Null(snapshot.GapOf(What));
    }

    [Fact]
    public void Without_ntdlls_data_the_list_cannot_be_entered_then()
    {
        NativeHang hang = new();
        hang.Idle(Owner);
        hang.ListedInNtdll(s_held);
        hang.WriteLoaderLock(s_held, isListed: false);

        Assert.NotNull(Captured.Of(hang.Process, SyntheticContents.Stacks | SyntheticContents.Blocks | SyntheticContents.Heap).GapOf(What));
    }
}
