namespace HangTriage.Facts.Calls;

/// <summary>
/// The methods of .NET that end no wait of another thread or async method: who calls no others looks, counts and prints. What is not known
/// counts as one that may.
/// </summary>
public static class ObserverCalls
{
    private const string Base = "System.";

    private static readonly string[] s_families =
    [
        "System.Text.", "System.Globalization.", "System.Numerics.", "System.Linq.", "System.Collections.",
        "System.Runtime.CompilerServices.", "System.Buffers.", "System.Security.Cryptography.", "System.Diagnostics.Metrics.",
        "Microsoft.Extensions.Logging.",
    ];

    private static readonly HashSet<string> s_types = new(StringComparer.Ordinal)
    {
        "System.IO.Path", "System.IO.TextWriter", "System.IO.StringWriter", "System.IO.StringReader", "System.Diagnostics.Stopwatch",
        "System.Diagnostics.Debug", "System.Diagnostics.Trace", "System.Diagnostics.Activity", "System.Threading.Interlocked",
        "System.Threading.Volatile", "System.Threading.SpinWait", "System.Threading.PeriodicTimer", "System.Threading.Tasks.ValueTask",
        "System.Runtime.InteropServices.MemoryMarshal",
        "System.Runtime.InteropServices.CollectionsMarshal",
    };

    // Of the types directly in "System": they run what the program has given them, reach another process, or end this one.
    private static readonly HashSet<string> s_acting = new(StringComparer.Ordinal)
    {
        "System.Lazy", "System.IProgress", "System.Progress", "System.IObserver", "System.IObservable", "System.AppDomain",
        "System.Activator", "System.Delegate", "System.MulticastDelegate", "System.Collections.Concurrent.BlockingCollection",
    };

    private static readonly string[] s_actingOfBase = ["System.Environment.Exit", "System.Environment.FailFast", "System.GC.Collect",
        "System.GC.WaitForPendingFinalizers", "System.Console.Read", "System.Console.OpenStandard"];

    private static readonly Dictionary<string, string[]> s_some = new(StringComparer.Ordinal)
    {
        ["System.Threading.Thread"] = ["Sleep", "Yield", "SpinWait", "MemoryBarrier"],
        ["System.Threading.Monitor"] = ["Enter", "TryEnter", "Exit", "Wait", "IsEntered"],
        ["System.Threading.Lock"] = ["Enter", "TryEnter", "Exit", "EnterScope"],
        ["System.Threading.Lock+Scope"] = ["Dispose"],
        ["System.Threading.CancellationToken"] = ["ThrowIfCancellationRequested"],
        ["System.Threading.ThreadPool"] = ["GetAvailableThreads", "GetMaxThreads", "GetMinThreads"],
        ["System.Threading.Tasks.Task"] =
        [
            "Delay", "GetAwaiter", "ConfigureAwait", "WhenAll", "WhenAny", "FromResult", "FromCanceled", "FromException", "Wait", "WaitAll",
            "WaitAny", "WaitAsync", "Yield", "Run", "ContinueWith",
        ],
    };

    /// <param name="type">The type that declares the method, without what a generic one is made of.</param>
    /// <param name="method">The method.</param>
    public static bool Contains(string type, string method)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(method);
        return (IsLook(method) && method != "get_Value")
            || (!s_acting.Contains(type)
            && !Array.Exists(s_actingOfBase, name => $"{type}.{method}".StartsWith(name, StringComparison.Ordinal))
            && (s_types.Contains(type)
                || Array.Exists(s_families, family => type.StartsWith(family, StringComparison.Ordinal))
                || (type.StartsWith(Base, StringComparison.Ordinal) && type.IndexOf('.', Base.Length) < 0)
                || (method == ".ctor" && type.EndsWith("Exception", StringComparison.Ordinal))
                || (s_some.TryGetValue(type, out string[]? names) && names.Contains(method))));
    }

    /// <summary>Whosever it is, a method of that name only says something of its object.</summary>
    public static bool IsLook(string method)
        => method.StartsWith("get_", StringComparison.Ordinal)
            || method is "ToString" or "Equals" or "GetHashCode" or "CompareTo" or "Contains" or "ContainsKey";
}
