using HangTriage.Capture.Managed.Collections;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Managed.Collections;

/// <summary>
/// A hash table whose buckets are lists and whose free entries are a stack, written out in either layout; and the plain
/// definition of what is wrong with one that was written out and damaged, in terms of sets. Shares nothing with the checker.
/// </summary>
internal sealed class ModelTable
{
    private readonly TableEncoding _encoding;
    private readonly int[] _buckets;
    private readonly uint[] _hashes;
    private readonly int[] _nexts;
    private int _count;
    private int _freeList;
    private int _freeCount;

    private ModelTable(TableEncoding encoding, int buckets, int capacity)
    {
        _encoding = encoding;
        _buckets = new int[buckets];
        _hashes = new uint[capacity];
        _nexts = new int[capacity];
    }

    /// <summary>A healthy table after so many random insertions and removals.</summary>
    public static ModelTable Healthy(bool isFramework, Random random)
    {
        int size = random.Next(1, 12);
        ModelTable table = new(new TableEncoding(isFramework, isFramework), size, size);
        List<int>[] chains = [.. Enumerable.Range(0, size).Select(_ => new List<int>())];
        Stack<int> free = new();
        for (int i = random.Next(0, 30); i > 0; i--)
        {
            if (random.Next(3) > 0 && (free.Count > 0 || table._count < size))
            {
                uint hash = isFramework ? (uint)random.Next() : (uint)random.NextInt64(1L << 32);
                int entry = free.Count > 0 ? free.Pop() : table._count++;
                table._hashes[entry] = hash;
                chains[hash % (uint)size].Insert(0, entry);
            }
            else if (chains.Where(chain => chain.Count > 0).ToArray() is { Length: > 0 } used)
            {
                List<int> chain = used[random.Next(used.Length)];
                int entry = chain[random.Next(chain.Count)];
                chain.Remove(entry);
                free.Push(entry);
            }
        }

        table.WriteOut(chains, free, isFramework);
        return table;
    }

    /// <summary>Sets so many random words to random values, near those that mean something.</summary>
    public void Damage(int times, Random random)
    {
        for (int i = 0; i < times; i++)
        {
            int value = random.Next(-5 - _nexts.Length, _nexts.Length + 3);
            switch (random.Next(7))
            {
                case 0:
                    _buckets[random.Next(_buckets.Length)] = value;
                    break;
                case 1:
                    _hashes[random.Next(_hashes.Length)] = unchecked((uint)value);
                    break;
                case 2 or 3:
                    _nexts[random.Next(_nexts.Length)] = value;
                    break;
                case 4:
                    _freeList = value;
                    break;
                case 5:
                    _freeCount = value;
                    break;
                default:
                    _count = value;
                    break;
            }
        }
    }

    public TableContent Content() => new(_encoding, _buckets, _hashes.AsSpan(0, Math.Clamp(_count, 0, _hashes.Length)), _nexts.AsSpan(0, Math.Clamp(_count, 0, _nexts.Length)))
    {
        Count = _count,
        Capacity = _nexts.Length,
        FreeList = _freeList,
        FreeCount = _freeCount,
    };

    public IReadOnlySet<CollectionFaultKind> Faults()
    {
        if (_count < 0 || _count > _nexts.Length || _freeCount < 0 || _freeCount > _count)
        {
            return new HashSet<CollectionFaultKind> { CollectionFaultKind.CountsDisagree };
        }

        HashSet<CollectionFaultKind> faults = [];
        HashSet<int> free = [.. Enumerable.Range(0, _count).Where(IsFree)];
        HashSet<int> used = [.. Enumerable.Range(0, _count).Except(free)];
        HashSet<int> found = [];
        for (int bucket = 0; bucket < _buckets.Length; bucket++)
        {
            (int[] chain, int end) = Follow(_encoding.IsZeroBased ? _buckets[bucket] : _buckets[bucket] - 1, entry => _nexts[entry], used);
            Note(chain.Contains(end), CollectionFaultKind.ChainCycle);
            Note(end != -1 && !chain.Contains(end), CollectionFaultKind.LinkOutOfRange);
            Note(chain.Any(entry => _hashes[entry] % _buckets.Length != bucket), CollectionFaultKind.WrongBucket);
            found.UnionWith(chain);
        }

        if (_count > 0)
        {
            (int[] list, int last) = Follow(_freeList, entry => _encoding.IsFreeByHash ? _nexts[entry] : -3 - _nexts[entry], free);
            Note(list.Contains(last), CollectionFaultKind.FreeListCycle);
            Note(last != -1 && !list.Contains(last), CollectionFaultKind.FreeListOutOfRange);
            Note(last == -1 && list.Length != _freeCount, CollectionFaultKind.FreeListLength);
        }

        Note(!found.SetEquals(used), CollectionFaultKind.UnreachableEntry);
        return faults;

        void Note(bool isThere, CollectionFaultKind kind)
        {
            if (isThere)
            {
                faults.Add(kind);
            }
        }
    }

    public override string ToString()
        => $"{_encoding} buckets [{string.Join(' ', _buckets)}] hashes [{string.Join(' ', _hashes)}] nexts [{string.Join(' ', _nexts)}] "
            + $"count {_count} free {_freeCount} from {_freeList}";

    private bool IsFree(int entry) => _encoding.IsFreeByHash ? _hashes[entry] == uint.MaxValue : _nexts[entry] < -1;

    /// <summary>The entries on the way, and the first link that leads to none that is allowed, or to one that was on the way.</summary>
    private static (int[] Way, int End) Follow(int first, Func<int, int> next, HashSet<int> allowed)
    {
        List<int> way = [];
        int at = first;
        for (; allowed.Contains(at) && !way.Contains(at); at = next(at))
        {
            way.Add(at);
        }

        return ([.. way], at);
    }

    private void WriteOut(List<int>[] chains, Stack<int> free, bool isFramework)
    {
        for (int bucket = 0; bucket < chains.Length; bucket++)
        {
            int[] chain = [.. chains[bucket], -1];
            _buckets[bucket] = isFramework ? chain[0] : chain[0] + 1;
            for (int i = 0; i + 1 < chain.Length; i++)
            {
                _nexts[chain[i]] = chain[i + 1];
            }
        }

        int[] list = [.. free, -1];
        _freeList = list[0];
        _freeCount = free.Count;
        for (int i = 0; i + 1 < list.Length; i++)
        {
            _hashes[list[i]] = isFramework ? uint.MaxValue : _hashes[list[i]];
            _nexts[list[i]] = isFramework ? list[i + 1] : -3 - list[i + 1];
        }
    }
}
