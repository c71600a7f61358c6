namespace HangTriage.Facts.Calls;

/// <summary>The methods of libraries that wait until a pooled resource is given back, where all of them are in use.</summary>
public static class ResourceCalls
{
    /// <summary>The limiter of how many work at once. System.Threading.RateLimiting 8 to 10: ConcurrencyLimiter.cs.</summary>
    public const string Limiter = Limiting + "ConcurrencyLimiter";

    /// <summary>The library of limiters.</summary>
    public const string Limiting = "System.Threading.RateLimiting.";

    private static readonly (string Type, string Part, string What)[] s_rows =
    [
        // npgsql 10.0: PoolingDataSource.cs, the local function RentAsync of Get.
        ("Npgsql.PoolingDataSource", "RentAsync", "a connection of the pool"),
    ];

    // dotnet/runtime: HttpConnectionWaiter.cs.
    private static readonly string[] s_connections =
        ["System.Threading.Tasks.Task<System.Net.Http.HttpConnection>", "System.Threading.Tasks.Task<System.Net.Http.Http2Connection>"];

    /// <summary>A task of that type is completed when a connection of a client's pool is free, or a new one is made.</summary>
    public static bool IsPooledConnection(string type) => Array.IndexOf(s_connections, type) >= 0;

    /// <summary>A task of that type is completed when a limiter has a permit.</summary>
    public static bool IsPermit(string type) => type == "System.Threading.Tasks.Task<" + Limiting + "RateLimitLease>";

    /// <summary>A method of a limiter, which may be giving a permit, or taking one back.</summary>
    public static bool IsOfLimiter(string method) => method.StartsWith(Limiting, StringComparison.Ordinal);

    /// <summary>What the method waits for, as "a connection of the pool"; null for others.</summary>
    public static string? Find(string? method)
        => method is null ? null
            : Array.Find(s_rows, row => method.StartsWith(row.Type, StringComparison.Ordinal) && method.Contains(row.Part, StringComparison.Ordinal)).What;
}
