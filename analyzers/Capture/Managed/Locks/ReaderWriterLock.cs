using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Reads a ReaderWriterLockSlim: _writeLockOwnerId and _upgradeLockOwnerId are managed thread ids, -1 for none; the low 28
/// bits of _owners count the readers and the thread in upgradeable mode; bit 31 of it says that a writer has the lock.
/// </summary>
internal sealed class ReaderWriterLock
{
    private const uint WriterHeld = 0x8000_0000;
    private const uint ReaderMask = 0x0FFF_FFFF;

    private readonly ClrObject _lock;
    private readonly IReadOnlyList<ClrThread> _threads;
    private readonly ReaderCounts _readers;
    private readonly Known<int> _writer;
    private readonly Known<int> _upgrader;
    private readonly Known<uint> _owners;

    public ReaderWriterLock(ClrObject target, IReadOnlyList<ClrThread> threads, ReaderCounts readers)
    {
        _lock = target;
        _threads = threads;
        _readers = readers;
        _writer = Field<int>("writeLockOwnerId");
        _upgrader = Field<int>("upgradeLockOwnerId");
        _owners = Field<uint>("owners");
    }

    /// <summary>
    /// Which part of the lock a thread waits for. One that asks for the upgradeable mode needs the thread that has it to
    /// leave, not the readers; the one that has it needs, to write, the readers to leave, not itself.
    /// </summary>
    /// <param name="asksToUpgrade">The thread asks for the upgradeable mode.</param>
    /// <param name="waiter">The thread.</param>
    public LockKind PartFor(bool asksToUpgrade, ClrThread waiter)
    {
        bool upgrades = _upgrader.Is(id => id != -1);
        return asksToUpgrade ? upgrades ? LockKind.ReaderWriterLockUpgrade : LockKind.ReaderWriterLock
            : _upgrader.Is(id => id == waiter.ManagedThreadId) ? LockKind.ReaderWriterLockReaders
            : LockKind.ReaderWriterLock;
    }

    public LockFacts Read(LockKind part)
    {
        Known<int> owner = part switch
        {
            LockKind.ReaderWriterLockUpgrade => _upgrader,
            LockKind.ReaderWriterLockReaders => Known.Unknown<int>("owner", "readers hold it"),
            _ when _writer.Is(id => id != -1) => _writer,
            _ => _upgrader,
        };
        bool readersCount = part != LockKind.ReaderWriterLockUpgrade;
        return new LockFacts
        {
            Id = new LockId(part, new Address(_lock.Address)),
            Name = Known.Read(_lock.Type!.Name!),
            IsHeld = readersCount ? _owners.Select(value => (value & (WriterHeld | ReaderMask)) != 0) : _upgrader.Select(id => id != -1),
            Owner = OwnerOf(owner),
            OwnerHasEnded = owner.TryGet(out int id) && id != -1 ? Find(id) is null : readersCount ? LostReader() : null,
            Recursion = Known.Unknown<uint>("recursion", "each thread counts its own"),
            WaiterCount = Field<uint>("numWriteWaiters").Select(writers => writers + Number("numReadWaiters") + Number("numUpgradeWaiters") + Number("numWriteUpgradeWaiters")),
            Readers = readersCount ? Readers() : null,
        };
    }

    private Known<IReadOnlyList<ThreadId>> Readers()
        => Field<long>("lockID") is var id && id.TryGet(out long value)
            ? _readers.Of(value).Select<IReadOnlyList<ThreadId>>(found => [.. found])
            : Known<IReadOnlyList<ThreadId>>.Unknown(id.Gap!);

    /// <summary>More readers are counted than threads that live say they are: one ended inside. Null where the counts cannot be compared.</summary>
    private bool? LostReader()
    {
        if (!_owners.TryGet(out uint owners) || (owners & WriterHeld) != 0 || !Readers().TryGet(out IReadOnlyList<ThreadId>? found))
        {
            return null;
        }

        long counted = (owners & ReaderMask) - (_upgrader.Is(id => id != -1) ? 1 : 0);
        return counted > 0 ? counted > found.Count : null;
    }

    private Known<ThreadId> OwnerOf(Known<int> owner)
        => !owner.TryGet(out int id) ? Known<ThreadId>.Unknown(owner.Gap!)
            : id == -1 ? Known.Unknown<ThreadId>("owner", _owners.Is(value => (value & ReaderMask) != 0) ? "readers hold it" : "the lock is free")
            : Find(id) is { } thread ? Known.Derived(new ThreadId(thread.OSThreadId))
            : Known.Unknown<ThreadId>("owner", $"the thread with the managed id {id} took the lock and has ended");

    private ClrThread? Find(int managedId) => _threads.FirstOrDefault(thread => thread.ManagedThreadId == managedId);

    private uint Number(string name) => Field<uint>(name).TryGet(out uint value) ? value : 0;

    // Older builds of .NET Framework have the names without the underscore.
    private Known<T> Field<T>(string name)
        where T : unmanaged
        => (_lock.Type!.GetFieldByName("_" + name) ?? _lock.Type.GetFieldByName(name)) is { } field
            && _lock.Type.Heap.Runtime.DataTarget.DataReader.Read(field.GetAddress(_lock.Address), out T value)
                ? Known.Read(value)
                : Known.Unknown<T>(name, "the lock has no such field, or it is not in the input");
}
