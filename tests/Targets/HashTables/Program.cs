namespace HashTables;

/// <summary>Hash tables of many kinds that are well, and one of each kind of damage, each printed with its type and fault.</summary>
internal static class Program
{
    // What a checker must find stays alive, and what it must not call damaged too.
    private static readonly List<object> s_alive = [];

    // By these two the damaged tables of the first two kinds can be found.
    private static object? s_orders;
    private static Cache? s_cache;

    private static void Main()
    {
        s_alive.AddRange(HealthyTables.All());
        GC.Collect();
        s_alive.AddRange(HealthyTables.All());
        foreach ((string fault, object table) in DamagedTables.All())
        {
            s_alive.Add(table);
            s_cache ??= s_orders is null ? null : new Cache(table);
            s_orders ??= table;
            Console.WriteLine($"type={table.GetType().GetGenericArguments()[^1].FullName} fault={fault}");
        }

        Asker asker = new();
        s_alive.Add(asker.Table);
        asker.Ask();
        Console.WriteLine($"type={typeof(int).FullName} fault=ChainCycle");

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version} healthy={s_alive.Count}");
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(s_alive);
        GC.KeepAlive(s_cache?.Items);
    }
}
