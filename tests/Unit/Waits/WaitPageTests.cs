using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.Waits;

public sealed class WaitPageTests
{
    // Of the system, and no matter of .NET's own.
    private static readonly LockKind[] s_native =
    [
        LockKind.CriticalSection, LockKind.LoaderLock, LockKind.LoadInProgress, LockKind.SrwLock, LockKind.Process, LockKind.Address,
        LockKind.PthreadMutex, LockKind.PthreadReaderWriterLock,
    ];

    [Fact]
    public void The_page_is_what_is_known() => Assert.Null(Golden.Difference("docs/waits.md", WaitPage.Text()));

    [Fact]
    public void Every_known_call_that_waits_is_of_one_primitive()
        => Assert.All(WaitPage.Calls, call => Assert.Single(WaitPrimitives.List, primitive => primitive.Has(call)));

    [Fact]
    public void Every_kind_of_lock_and_of_wait_of_an_async_method_is_of_one_primitive()
    {
        Assert.Equal(Enum.GetValues<LockKind>().Except(s_native).Order(), WaitPrimitives.List.SelectMany(primitive => primitive.Locks).Order());
        Assert.Equal(Enum.GetValues<FlowWaitKind>().Order(), WaitPrimitives.List.SelectMany(primitive => primitive.Flows).Order());
    }
}
