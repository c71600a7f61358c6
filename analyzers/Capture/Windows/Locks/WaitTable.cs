using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// The table of WaitOnAddress in the process environment block, on which Windows 10 and later keep every thread that
/// waits for a changed value, and so every waiter of a critical section. The bucket of an address is (address >> 5) and
/// 0x7F; an entry is a pointer whose low two bits are flags, to the first of a chain of wait blocks on the waiters'
/// stacks: {Address, ThreadId, Next, Previous, Last, Flags}. All this is known from decompilation alone: a block that
/// does not fit its bucket or whose thread does not exist ends the chain, and what is found is merely assumed.
/// </summary>
internal sealed class WaitTable
{
    private const int Buckets = 128;
    private const string What = "table of waits on addresses";

    private readonly LockContext _context;
    private readonly IReadOnlyDictionary<uint, ThreadView> _threads;
    private readonly Dictionary<uint, ulong> _addresses = [];
    private readonly HashSet<ulong> _seen = [];
    private readonly List<Gap> _gaps = [];

    private WaitTable(LockContext context, IReadOnlyDictionary<uint, ThreadView> threads)
    {
        _context = context;
        _threads = threads;
    }

    /// <summary>What could not be read of it.</summary>
    public IReadOnlyList<Gap> Gaps => _gaps;

    /// <summary>The table was there and read as a whole: a thread that it does not name waits on no address.</summary>
    public bool IsWhole { get; private set; }

    /// <summary>The address that each thread waits on.</summary>
    public IReadOnlyDictionary<uint, ulong> Addresses => _addresses;

    public static WaitTable Read(LockContext context, Known<Address> peb, IReadOnlyDictionary<uint, ThreadView> threads)
    {
        WaitTable table = new(context, threads);
        if (context.WhyNoWaitTable is null && peb.TryGet(out Address block))
        {
            table.ReadBuckets(block.Value + (ulong)context.Layout.PebWaitTable);
        }

        return table;
    }

    private void ReadBuckets(ulong start)
    {
        int size = _context.Layout.PointerSize;
        IsWhole = true;
        for (int i = 0; i < Buckets; i++)
        {
            if (!_context.Memory.TryReadPointer(start + (ulong)(i * size), size, out ulong entry))
            {
                Lose($"that part of the process environment block {_context.Memory.Absent}");
                return;
            }

            // A chain can be entered in its middle: the other end is found by going back.
            if ((entry & ~3UL) is not 0 and var block && Follow(i, block, isForward: true))
            {
                _ = Follow(i, block, isForward: false);
            }
        }
    }

    private bool Follow(int bucket, ulong block, bool isForward)
    {
        int size = _context.Layout.PointerSize;
        bool isFirst = true;
        Span<ulong> fields = stackalloc ulong[4];
        while (block != 0 && (isFirst || !_seen.Contains(block)))
        {
            for (int i = 0; i < fields.Length; i++)
            {
                if (!_context.Memory.TryReadPointer(unchecked(block + (ulong)(i * size)), size, out fields[i]))
                {
                    Lose($"a wait block at {new Address(block)} {_context.Memory.Absent}");
                    return false;
                }
            }

            if (_seen.Count >= _context.Capture.Limits.WaitersPerLock)
            {
                Lose($"more than {_context.Capture.Limits.WaitersPerLock} wait blocks are not read");
                return false;
            }

            if (_seen.Add(block) && !Take(bucket, block, fields))
            {
                Lose($"what lies at {new Address(block)} is no wait block of bucket {bucket}");
                return false;
            }

            isFirst = false;
            block = fields[isForward ? 2 : 3] & ~3UL;
        }

        return true;
    }

    private bool Take(int bucket, ulong block, ReadOnlySpan<ulong> fields)
    {
        if ((int)((fields[0] >> 5) & 0x7F) != bucket
            || fields[1] > uint.MaxValue
            || !_threads.TryGetValue((uint)fields[1], out ThreadView? thread)
            || !thread.Bounds.Contains(block))
        {
            return false;
        }

        _addresses.TryAdd(thread.Thread.Id, fields[0]);
        return true;
    }

    private void Lose(string why)
    {
        IsWhole = false;
        if (_gaps.Count == 0)
        {
            _gaps.Add(new Gap(What, why));
        }
    }
}
