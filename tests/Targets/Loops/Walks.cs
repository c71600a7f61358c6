namespace Loops;

/// <summary>Loops over links: the endless ones come back to where they were.</summary>
internal static class Walks
{
    private const int Many = 4_000_000;
    private const int Places = 4_000;
    private const int Passes = 2_000_000;

    public static void OfRows(bool isEndless)
    {
        Row first = Row.Chain(isEndless ? 12 : Many, isEndless);
        for (int pass = 0; pass < Passes; pass++)
        {
            Console.Out.Flush();
            _ = Total(first);
        }
    }

    private static long Total(Row first)
    {
        long total = 0;
        for (Row? row = first; row is not null; row = row.Next)
        {
            total += row.Amount;
        }

        return total;
    }

    public static void OfParents(bool isEndless)
    {
        Row leaf = Row.Chain(isEndless ? 5 : Many, isEndless);
        for (int pass = 0; pass < Passes; pass++)
        {
            _ = RootOf(leaf);
        }
    }

    private static Row RootOf(Row row)
    {
        while (row.Next is { } parent)
        {
            row = parent;
        }

        return row;
    }

    /// <summary>Places are visited again and again where nobody notes which have been: the stack never gets empty.</summary>
    public static void OfRoutes(bool isEndless)
    {
        List<int>[] roads = [.. Enumerable.Range(0, Places).Select<int, List<int>>(place
            => isEndless ? [(place + 1) % Places] : [place + 1, place + 2])];
        for (int pass = 0; pass < Passes; pass++)
        {
            _ = Reachable(roads, isNoted: !isEndless);
        }
    }

    private static int Reachable(List<int>[] roads, bool isNoted)
    {
        int count = 0;
        HashSet<int>? visited = isNoted ? [] : null;
        Stack<int> open = new([0]);
        while (open.TryPop(out int place))
        {
            count++;
            foreach (int next in place < roads.Length ? roads[place] : [])
            {
                if (visited?.Add(next) != false)
                {
                    open.Push(next);
                }
            }
        }

        return count;
    }

    /// <summary>Open addressing: a place is looked for in a table that has none left.</summary>
    public static void OfTable(bool isEndless)
    {
        int[] table = new int[64];
        Array.Fill(table, 7, 0, isEndless ? 64 : 63);
        for (long pass = 0; pass < 40_000_000_000; pass++)
        {
            if (Free(table, (int)(pass & 63)) < 0)
            {
                return;
            }
        }
    }

    private static int Free(int[] table, int place)
    {
        while (table[place] != 0)
        {
            place = (place + 1) & (table.Length - 1);
        }

        return place;
    }
}
