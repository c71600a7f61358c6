namespace FrameworkDictionary;

/// <summary>
/// A hash table with the fields and links of the Dictionary of .NET Framework: buckets count from 0, -1 ends a chain, and
/// nothing counts the steps of a lookup.
/// </summary>
internal sealed class Table<TKey, TValue>
    where TKey : notnull
{
    private const int Size = 3;

    private readonly int[] buckets = [-1, -1, -1];
    private readonly Entry[] entries = new Entry[Size];
    private int count;
    private int freeList = -1;
    private int freeCount;

    public int Buckets => buckets.Length;

    public void Insert(TKey key, TValue value)
    {
        int hash = key.GetHashCode() & int.MaxValue;
        int bucket = hash % buckets.Length;
        int entry = TakeEntry();
        entries[entry] = new Entry { hashCode = hash, next = buckets[bucket], key = key, value = value };
        buckets[bucket] = entry;
    }

    /// <summary>Does what an insertion does that another one interrupts.</summary>
    public void PointToItself(int entry) => entries[entry].next = entry;

    public int FindEntry(TKey key, Action<long> step)
    {
        int hash = key.GetHashCode() & int.MaxValue;
        long steps = 0;
        for (int i = buckets[hash % buckets.Length]; i >= 0; i = entries[i].next)
        {
            step(++steps);
            if (entries[i].hashCode == hash && key.Equals(entries[i].key))
            {
                return i;
            }
        }

        return -1;
    }

    private int TakeEntry()
    {
        if (freeCount == 0)
        {
            return count++;
        }

        int entry = freeList;
        freeList = entries[entry].next;
        freeCount--;
        return entry;
    }

    private struct Entry
    {
        public int hashCode;
        public int next;
        public TKey key;
        public TValue value;
    }
}
