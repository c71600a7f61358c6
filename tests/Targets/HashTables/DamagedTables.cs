namespace HashTables;

/// <summary>One table for each kind of damage. Their value types tell them apart.</summary>
internal static class DamagedTables
{
    private const int Count = 20;

    public static IEnumerable<(string Fault, object Table)> All()
    {
        yield return ("ChainCycle", new Damage<SelfLoop>().Link(7, 7).Table);
        yield return ("ChainCycle", new Damage<LoopOfTwo>(colliding: true).Link(5, 6).Link(6, 5).Table);
        yield return ("LinkOutOfRange", new Damage<LinkOut>().Link(4, Count).Table);
        yield return ("LinkOutOfRange", new Damage<BucketOut>().Bucket(3, 1000).Table);
        yield return ("WrongBucket", new Damage<WrongHash>().Hash(2, 12345).Table);
        yield return ("UnreachableEntry", new Damage<LostEntry>().Bucket(2, 0).Table);
        yield return ("FreeListCycle", new Damage<FreeLoop>().Remove(8, 9, 10).Link(9, -3 - 10).Table);
        yield return ("FreeListOutOfRange", new Damage<FreeOut>().Remove(8, 9, 10).Set("_freeList", 4000).Table);
        yield return ("FreeListLength", new Damage<FreeLength>().Remove(8, 9, 10).Set("_freeCount", 2).Table);
        yield return ("CountsDisagree", new Damage<CountHigh>().Set("_count", 5000).Table);
        HashSet<SetLoop> set = [.. Enumerable.Range(0, Count).Select(i => new SetLoop(i))];
        Entries.SetField(set, 3, "Next", 3);
        yield return ("ChainCycle", set);
    }

    private readonly record struct SetLoop(int Value);

    private struct SelfLoop;

    private struct LoopOfTwo;

    private struct LinkOut;

    private struct BucketOut;

    private struct WrongHash;

    private struct LostEntry;

    private struct FreeLoop;

    private struct FreeOut;

    private struct FreeLength;

    private struct CountHigh;

    /// <summary>A table of some entries, one a bucket, of which reflection breaks something.</summary>
    private sealed class Damage<TValue>
        where TValue : struct
    {
        public Damage(bool colliding = false)
        {
            Table = colliding ? new Dictionary<int, TValue>(new Crowding()) : [];
            for (int i = 0; i < Count; i++)
            {
                Table.Add(i, default);
            }
        }

        public Dictionary<int, TValue> Table { get; }

        public Damage<TValue> Link(int entry, int next)
        {
            Entries.SetField(Table, entry, "next", next);
            return this;
        }

        public Damage<TValue> Hash(int entry, uint hash)
        {
            Entries.SetField(Table, entry, "hashCode", hash);
            return this;
        }

        public Damage<TValue> Bucket(int bucket, int value)
        {
            Entries.Buckets(Table)[bucket] = value;
            return this;
        }

        public Damage<TValue> Remove(params int[] keys)
        {
            foreach (int key in keys)
            {
                Table.Remove(key);
            }

            return this;
        }

        public Damage<TValue> Set(string field, int value)
        {
            Entries.Field(Table, field).SetValue(Table, value);
            return this;
        }
    }
}
