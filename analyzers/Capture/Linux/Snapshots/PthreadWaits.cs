using System.Buffers.Binary;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Snapshots;

/// <summary>
/// Who waits for a lock of the threads library, who holds that lock, and who waits for the end of which thread, by the words that the
/// threads' futex calls name. Layouts: glibc's struct_mutex.h and struct_rwlock.h for x86 in sysdeps (since 2.25 for the second) and
/// lowlevellock.h; musl's src/internal/pthread_impl.h.
/// </summary>
/// <param name="memory">The process.</param>
/// <param name="threads">Its threads.</param>
internal sealed class PthreadWaits(IMemoryReader memory, IReadOnlySet<uint> threads)
{
    // pthread_mutex_t of glibc: lock, count, owner, users, kind.
    private const int MutexSize = 20;
    private const int CountAt = 4;
    private const int OwnerAt = 8;
    private const int UsersAt = 12;
    private const int KindAt = 16;

    // A lock that somebody waits for. Locks whose word has the owner mark that with the highest bit.
    private const uint Contended = 2;
    private const uint HasWaiters = 0x8000_0000;
    private const uint OwnerMask = 0x3FFF_FFFF;

    // Types 0 to 3, and the flags for priority protection, sharing and lock elision. Robust and inheriting ones have the owner in the word.
    private const uint KnownKinds = 0x3 | 0x40 | 0x80 | 0x300;

    // pthread_rwlock_t of glibc: readers, writers, the two words that threads wait for, two paddings, writer, shared.
    private const int ReaderWriterSize = 32;
    private const int PhaseAt = 8;
    private const int WritersAt = 12;
    private const int WriterAt = 24;
    private const int SharedAt = 28;
    private const uint HeldByWriter = 3;

    private const uint HighestThreadId = 4 << 20;
    private const uint MostUsers = 1 << 20;

    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private readonly List<WaitFacts> _waits = [];

    /// <param name="memory">The process.</param>
    /// <param name="threads">Its threads.</param>
    /// <param name="calls">The system calls that they are in.</param>
    public static LinuxFacts Read(IMemoryReader memory, IEnumerable<uint> threads, IReadOnlyDictionary<uint, SystemCallState> calls)
    {
        PthreadWaits read = new(memory, threads.ToHashSet());
        foreach ((uint thread, SystemCallState call) in calls.OrderBy(call => call.Key))
        {
            if (call.Futex is { } futex)
            {
                read.Add(thread, futex, call.HasTimeout);
            }
        }

        return new LinuxFacts
        {
            Locks = Known.Derived<IReadOnlyList<LockFacts>>([.. read._locks.Values]),
            Waits = Known.Derived<IReadOnlyList<WaitFacts>>(read._waits),
        };
    }

    private void Add(uint thread, FutexWait futex, bool? hasTimeout)
    {
        Span<byte> mutex = stackalloc byte[MutexSize];
        int length = memory.Read(futex.Word, mutex);
        uint word = length >= sizeof(uint) ? BinaryPrimitives.ReadUInt32LittleEndian(mutex) : 0;
        if (futex.IsForOwner ? word == 0 : !futex.IsPlain || word != futex.Expected)
        {
            return;
        }

        if (IsJoin(thread, futex, word))
        {
            Add(thread, new LockId(LockKind.Thread, new Address(futex.Word)), WaitKind.Exit, "futex word that has the id of a thread", hasTimeout, new ThreadId(word));
        }
        else if (futex.IsForOwner || (word & HasWaiters) != 0)
        {
            AddHeld(thread, futex, Mutex(futex.Word), word & OwnerMask, 1, "futex word that has the owner", hasTimeout);
        }
        else if (word == Contended && length == MutexSize && IsMutex(mutex))
        {
            AddHeld(thread, futex, Mutex(futex.Word), Field(mutex, OwnerAt), Math.Max(1, Field(mutex, CountAt)), "futex word of a pthread_mutex_t", hasTimeout);
        }
        else if (word is > 0 and <= HeldByWriter && (WriterOf(futex.Word, PhaseAt) ?? WriterOf(futex.Word, WritersAt)) is { } held)
        {
            AddHeld(thread, futex, new LockId(LockKind.PthreadReaderWriterLock, new Address(held.Lock)), held.Writer, 1, "futex word of a pthread_rwlock_t", hasTimeout);
        }
    }

    private static bool IsMutex(ReadOnlySpan<byte> mutex) => Field(mutex, UsersAt) is > 0 and < MostUsers && (Field(mutex, KindAt) & ~KnownKinds) == 0;

    private static LockId Mutex(ulong address) => new(LockKind.PthreadMutex, new Address(address));

    /// <summary>The reader/writer lock around the word, if it is one that a thread writes under.</summary>
    /// <param name="word">What is waited for.</param>
    /// <param name="at">Where in the lock that would be.</param>
    private (ulong Lock, uint Writer)? WriterOf(ulong word, int at)
    {
        Span<byte> content = stackalloc byte[ReaderWriterSize];
        ulong address = word - (uint)at;
        return memory.Read(address, content) == ReaderWriterSize && (Field(content, 0) & HeldByWriter) == HeldByWriter
            && threads.Contains(Field(content, WriterAt)) && Field(content, SharedAt) <= 1
                ? (address, Field(content, WriterAt))
                : null;
    }

    // pthread_join waits, with a word that is not private, until the kernel clears the id of the thread that ends.
    private bool IsJoin(uint thread, FutexWait futex, uint word) => futex is { IsPlain: true, IsShared: true } && word != thread && threads.Contains(word);

    private void AddHeld(uint thread, FutexWait futex, LockId id, uint owner, uint count, string source, bool? hasTimeout)
    {
        if (owner is 0 or > HighestThreadId)
        {
            return;
        }

        // A word that processes share can have its owner in another one: none of this one's threads has ended for that.
        bool isElsewhere = futex.IsShared && !threads.Contains(owner);

        _locks.TryAdd(id, new LockFacts
        {
            Id = id,
            Name = Known.Unknown<string>("name of the lock", "a lock of pthreads has none"),
            IsHeld = Known.Derived(true),
            Owner = isElsewhere ? Known.Unknown<ThreadId>("owner", $"thread 0x{owner:x} of another process has it") : Known.Derived(new ThreadId(owner)),
            IsHeldOutside = isElsewhere,
            OwnerHasEnded = !isElsewhere && !threads.Contains(owner),
            Recursion = Known.Derived(count),
            WaiterCount = Known.Unknown<uint>("waiters", "a lock of pthreads does not count them"),
        });
        Add(thread, id, WaitKind.Acquire, source, hasTimeout);
    }

    private void Add(uint thread, LockId id, WaitKind kind, string source, bool? hasTimeout, ThreadId? target = null) => _waits.Add(new WaitFacts
    {
        Thread = new ThreadId(thread),
        Lock = id,
        Kind = kind,
        TargetThread = target,
        Timeout = hasTimeout == false ? Known.Derived(Timeout.InfiniteTimeSpan) : Known.Unknown<TimeSpan>("time limit of the wait", "the system call's own is not read"),
        Trust = Trust.Derived,
        Source = source,
    });

    private static uint Field(ReadOnlySpan<byte> mutex, int at) => BinaryPrimitives.ReadUInt32LittleEndian(mutex[at..]);
}
