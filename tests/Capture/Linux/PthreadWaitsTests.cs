using System.Buffers.Binary;
using HangTriage.Capture.Linux;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Linux;

/// <summary>The calls and words are those of a program in C on glibc 2.41 whose threads wait for each kind of lock.</summary>
public sealed class PthreadWaitsTests
{
    private const ulong Word = 0x556f_be43_31e0;
    private const uint Waiter = 0x3e36;
    private const uint Owner = 0x3e35;
    private const uint Private = 0x80;
    private const uint Shared = 0;
    private const uint InheritPrivate = 0x86;
    private const uint Join = 0x109;
    private const uint ReaderWriter = 0x189;

    // Lock, count, owner, users, kind: recursive, checked for errors and adaptive mutexes differ in the last.
    [Theory]
    [InlineData(0, 0, 1)]
    [InlineData(2, 1, 2)]
    [InlineData(0, 2, 1)]
    [InlineData(0, 3, 1)]
    public void A_contended_mutex_names_its_owner(uint count, uint kind, uint recursion)
    {
        LinuxFacts facts = Read(new FutexWait(Word, Private, 2), Word, 2, count, Owner, 1, kind);

        LockFacts held = Assert.Single(facts.Locks.Value);
        WaitFacts wait = Assert.Single(facts.Waits.Value);
        Assert.Equal((new LockId(LockKind.PthreadMutex, new Address(Word)), new ThreadId(Owner), recursion), (held.Id, held.Owner.Value, held.Recursion.Value));
        Assert.False(held.OwnerHasEnded);
        Assert.Equal((new ThreadId(Waiter), held.Id, WaitKind.Acquire, Timeout.InfiniteTimeSpan), (wait.Thread, wait.Lock, wait.Kind, wait.Timeout.Value));
    }

    [Fact]
    public void Robust_and_inheriting_mutexes_have_the_owner_in_the_word()
    {
        Assert.Equal(new ThreadId(Owner), Read(new FutexWait(Word, Shared, 0x8000_0000 | Owner), Word, 0x8000_0000 | Owner).Locks.Value.Single().Owner.Value);
        Assert.Equal(new ThreadId(Owner), Read(new FutexWait(Word, InheritPrivate, 0), Word, 0x8000_0000 | Owner).Locks.Value.Single().Owner.Value);
    }

    [Fact]
    public void The_owner_of_a_mutex_that_processes_share_can_be_in_another_one()
    {
        LockFacts held = Read(new FutexWait(Word, Shared, 0x8000_0d60), Word, 0x8000_0d60).Locks.Value.Single();

        Assert.True(held.IsHeldOutside);
        Assert.False(held.Owner.HasValue);
        Assert.False(held.OwnerHasEnded);
        Assert.Contains("another process", held.Owner.Gap!.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void An_owner_that_is_no_thread_any_more_has_ended()
    {
        LockFacts held = Read(new FutexWait(Word, Private, 2), Word, 2, 0, 0x3e3c, 1, 0).Locks.Value.Single();

        Assert.Equal(new ThreadId(0x3e3c), held.Owner.Value);
        Assert.True(held.OwnerHasEnded);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(12)]
    public void Who_waits_for_a_reader_writer_lock_waits_for_its_writer(uint at)
    {
        LinuxFacts facts = Read(new FutexWait(Word + at, ReaderWriter, 3), Word, 0xb, 0, 3, 3, 0, 0, Owner, 0);

        Assert.Equal((new LockId(LockKind.PthreadReaderWriterLock, new Address(Word)), new ThreadId(Owner)), (facts.Locks.Value.Single().Id, facts.Locks.Value.Single().Owner.Value));
    }

    [Fact]
    public void Who_joins_a_thread_waits_for_its_end()
    {
        LinuxFacts facts = Read(new FutexWait(Word, Join, Owner), Word, Owner);

        Assert.Empty(facts.Locks.Value);
        Assert.Equal((WaitKind.Exit, new ThreadId(Owner)), (facts.Waits.Value.Single().Kind, facts.Waits.Value.Single().TargetThread));
    }

    public static TheoryData<int, uint, uint, uint[]> Others => new()
    {
        // Woken, and not yet running: the word has changed.
        { 0, Private, 2, [0, 0, 0, 0, 0] },
        { 0, Private, 2, [1, 0, Owner, 1, 0] },
        // A condition variable, a futex of another library's, a semaphore.
        { 0, ReaderWriter, 0, [0, 0, Owner, 1, 0] },
        { 0, Private, 2, [2, 0, 0x7f41_2710, 1, 0] },
        { 0, Private, 2, [2, 0, Owner, 0, 0] },
        { 0, Private, 2, [2, 0, Owner, 1, 0x7f41] },
        { 0, Private, 2, [2] },
        // Readers hold it, whom it does not name.
        { 8, ReaderWriter, 3, [0xa, 0, 3, 3, 0, 0, Owner, 0] },
        // A private word that happens to have the id of a thread.
        { 0, Private, Owner, [Owner, 0, 0, 0, 0] },
        // FUTEX_WAKE.
        { 0, Private | 1, 2, [2, 0, Owner, 1, 0] },
    };

    [Theory]
    [MemberData(nameof(Others))]
    public void Nothing_is_made_of_another_word(int at, uint operation, uint expected, uint[] words)
    {
        LinuxFacts facts = Read(new FutexWait(Word + (uint)at, operation, expected), Word, words);

        Assert.Empty(facts.Locks.Value);
        Assert.Empty(facts.Waits.Value);
    }

    private static LinuxFacts Read(FutexWait futex, ulong address, params uint[] words)
    {
        byte[] content = new byte[words.Length * sizeof(uint)];
        for (int index = 0; index < words.Length; index++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(content.AsSpan(index * sizeof(uint)), words[index]);
        }

        Dictionary<uint, SystemCallState> calls = new() { [Waiter] = new SystemCallState(true, FutexWait.Number, HasTimeout: false) { Futex = futex } };
        return PthreadWaits.Read(new MemoryPiece(address, content), [Waiter, Owner], calls);
    }
}
