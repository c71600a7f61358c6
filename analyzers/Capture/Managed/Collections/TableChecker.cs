using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>
/// Checks hash tables, one after the other. Every entry is looked at once and every link followed once, so that a table
/// whose links run in circles takes no longer than a healthy one.
/// </summary>
internal sealed class TableChecker
{
    private const int Unseen = 0;
    private const int OnFreeList = -1;

    private readonly FaultList _faults = new();
    private int[] _seenFrom = [];

    /// <summary>What is wrong, the worst first; none for a healthy table.</summary>
    public IReadOnlyList<CollectionFault> Check(TableContent table)
    {
        if (table.Count < 0 || table.Count > table.Capacity || table.FreeCount < 0 || table.FreeCount > table.Count
            || (table.Buckets.IsEmpty && table.Count > 0))
        {
            _faults.Add(CollectionFaultKind.CountsDisagree, null, null, null);
            return _faults.Take();
        }

        if (table.Count == 0)
        {
            CheckBucketsAreEmpty(table);
            return _faults.Take();
        }

        if (_seenFrom.Length < table.Count)
        {
            _seenFrom = new int[Math.Max(table.Count, _seenFrom.Length * 2)];
        }

        Array.Clear(_seenFrom, 0, table.Count);
        for (int bucket = 0; bucket < table.Buckets.Length; bucket++)
        {
            FollowChain(table, bucket);
        }

        FollowFreeList(table);
        FindUnreachable(table);
        return _faults.Take();
    }

    private void CheckBucketsAreEmpty(TableContent table)
    {
        for (int bucket = 0; bucket < table.Buckets.Length; bucket++)
        {
            int first = table.Encoding.FirstEntry(table.Buckets[bucket]);
            if (first != -1)
            {
                _faults.Add(CollectionFaultKind.LinkOutOfRange, bucket, null, first);
            }
        }
    }

    private void FollowChain(TableContent table, int bucket)
    {
        int mark = bucket + 1;
        int? from = null;
        int entry = table.Encoding.FirstEntry(table.Buckets[bucket]);
        while (entry != -1)
        {
            if ((uint)entry >= (uint)table.Count || table.Encoding.IsFree(table.Hashes[entry], table.Nexts[entry]))
            {
                _faults.Add(CollectionFaultKind.LinkOutOfRange, bucket, from, entry);
                return;
            }

            if (_seenFrom[entry] == mark)
            {
                _faults.Add(CollectionFaultKind.ChainCycle, bucket, from, entry);
                return;
            }

            if (table.Hashes[entry] % (uint)table.Buckets.Length != (uint)bucket)
            {
                _faults.Add(CollectionFaultKind.WrongBucket, bucket, entry, table.Nexts[entry]);
            }

            if (_seenFrom[entry] != Unseen)
            {
                // Another bucket's chain: its rest has been followed.
                return;
            }

            _seenFrom[entry] = mark;
            from = entry;
            entry = table.Nexts[entry];
        }
    }

    private void FollowFreeList(TableContent table)
    {
        int length = 0;
        int? from = null;
        int entry = table.FreeList;
        while (entry != -1)
        {
            if ((uint)entry >= (uint)table.Count || !table.Encoding.IsFree(table.Hashes[entry], table.Nexts[entry]))
            {
                _faults.Add(CollectionFaultKind.FreeListOutOfRange, null, from, entry);
                return;
            }

            if (_seenFrom[entry] == OnFreeList)
            {
                _faults.Add(CollectionFaultKind.FreeListCycle, null, from, entry);
                return;
            }

            _seenFrom[entry] = OnFreeList;
            length++;
            from = entry;
            entry = table.Encoding.NextFree(table.Nexts[entry]);
        }

        if (length != table.FreeCount)
        {
            _faults.Add(CollectionFaultKind.FreeListLength, null, null, null);
        }
    }

    private void FindUnreachable(TableContent table)
    {
        for (int entry = 0; entry < table.Count; entry++)
        {
            if (_seenFrom[entry] == Unseen && !table.Encoding.IsFree(table.Hashes[entry], table.Nexts[entry]))
            {
                _faults.Add(CollectionFaultKind.UnreachableEntry, null, entry, table.Nexts[entry]);
            }
        }
    }
}
