using System.Collections;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace HashTables;

/// <summary>Tables as programs have them, in every state that their methods leave them in.</summary>
internal static class HealthyTables
{
    private const int Large = 50_000;

    public static IEnumerable<object> All()
    {
        foreach (int count in new[] { 0, 1, 2, 3, 4, 17, 100, 1000 })
        {
            foreach (object table in OfSize(count))
            {
                yield return table;
            }
        }

        yield return Filled(Large, i => i, i => i);
        yield return new HashSet<string>(Enumerable.Range(0, Large).Select(i => $"{i}"));
        foreach (object other in Others())
        {
            yield return other;
        }
    }

    private static IEnumerable<object> OfSize(int count)
    {
        yield return Filled(count, i => i, i => i);
        yield return Filled(count, i => -i, i => (byte)i);
        yield return Filled(count, i => (long)i << 33, i => $"{i}");
        yield return Filled(count, i => $"{i}", i => i);
        yield return Filled(count, i => $"{i}", i => (object)i);
        yield return Filled(count, i => Guid.NewGuid(), i => new Wide(i));
        yield return Filled(count, i => (i, $"{i}"), i => (i, $"{i}", (byte)i));
        yield return Filled(count, i => new Wide(i), i => true);
        yield return Filled(count, i => (DayOfWeek)i, i => (int?)i);
        yield return Filled(count, i => (decimal)i, i => Guid.NewGuid());
        yield return Filled(count, i => $"Key{i}", i => i, StringComparer.OrdinalIgnoreCase);
        yield return Filled(count, i => i, i => i, new Crowding());
        yield return new Derived(Filled(count, i => i, i => $"{i}"));
        yield return new Dictionary<int, int>(Filled(count, i => i, i => i));
        yield return Trimmed(Filled(count, i => i, i => i));
        yield return Refilled(Filled(count, i => i, i => i));
        yield return new HashSet<int>(Enumerable.Range(-count, count));
        yield return new HashSet<Wide>(Enumerable.Range(0, count).Select(i => new Wide(i)));
        yield return new HashSet<string>(Enumerable.Range(0, count).Select(i => $"{i}"), StringComparer.OrdinalIgnoreCase);
        yield return Thinned(new HashSet<string>(Enumerable.Range(0, count).Select(i => $"{i}")));
        yield return Thinned(new HashSet<int>(Enumerable.Range(0, count)));
        yield return new HashSet<int>(Thinned(new HashSet<int>(Enumerable.Range(0, count))));
        Dictionary<string, int> cleared = Filled(count, i => $"{i}", i => i);
        cleared.Clear();
        yield return cleared;
    }

    /// <summary>Tables of other kinds, with fields that look alike.</summary>
    private static IEnumerable<object> Others()
    {
        Hashtable hashtable = [];
        ConcurrentDictionary<int, string> concurrent = new();
        SortedDictionary<int, string> sorted = [];
        ConditionalWeakTable<object, string> weak = [];
#if NET9_0_OR_GREATER
        OrderedDictionary<int, string> ordered = [];
        yield return ordered;
#endif
        for (int i = 0; i < 100; i++)
        {
            hashtable[i] = i;
            concurrent[i] = $"{i}";
            sorted[i] = $"{i}";
            object key = new();
            weak.Add(key, $"{i}");
            yield return key;
#if NET9_0_OR_GREATER
            ordered.Add(i, $"{i}");
#endif
        }

        yield return hashtable;
        yield return concurrent;
        yield return sorted;
        yield return weak;
        yield return Enumerable.Range(0, 100).ToLookup(i => i % 7);
        yield return Enumerable.Range(0, 100).ToDictionary(i => i).Keys;
    }

    /// <summary>With every third removed, in an order that winds the list of free entries through the table.</summary>
    private static Dictionary<TKey, TValue> Filled<TKey, TValue>(
        int count, Func<int, TKey> key, Func<int, TValue> value, IEqualityComparer<TKey>? comparer = null)
        where TKey : notnull
    {
        TKey[] keys = [.. Enumerable.Range(0, count).Select(key)];
        Dictionary<TKey, TValue> table = new(comparer);
        for (int i = 0; i < count; i++)
        {
            table[keys[i]] = value(i);
        }

        for (int i = 0; i < count; i += 3)
        {
            table.Remove(keys[(i * 7) % count]);
        }

        return table;
    }

    private static Dictionary<int, int> Trimmed(Dictionary<int, int> table)
    {
        table.TrimExcess();
        table.EnsureCapacity(table.Count * 5);
        return table;
    }

    private static Dictionary<int, int> Refilled(Dictionary<int, int> table)
    {
        foreach (int key in table.Keys.ToArray())
        {
            table.Remove(key);
        }

        for (int i = 0; i < 10; i++)
        {
            table[-i] = i;
        }

        return table;
    }

    private static HashSet<T> Thinned<T>(HashSet<T> table)
    {
        int i = 0;
        table.RemoveWhere(_ => i++ % 2 == 0);
        return table;
    }
}
