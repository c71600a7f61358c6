using HangTriage.Facts;

namespace HangTriage.Capture;

/// <summary>
/// Where image files and PDBs are looked for, in this order: what the host passes, never what a target names. Written
/// as in _NT_SYMBOL_PATH ("Symbol path for Windows debuggers" in the vendor's pages).
/// </summary>
public sealed class SymbolPath
{
    private const int MaxPlaces = 256;
    private const string What = "symbol path";

    private SymbolPath(IReadOnlyList<SymbolPlace> places, IReadOnlyList<Gap> gaps)
    {
        Places = places;
        Gaps = gaps;
    }

    public static SymbolPath Empty { get; } = new([], []);

    public IReadOnlyList<SymbolPlace> Places { get; }

    /// <summary>Elements that are not used, and why.</summary>
    public IReadOnlyList<Gap> Gaps { get; }

    public bool IsEmpty => Places.Count == 0 && Gaps.Count == 0;

    /// <summary>A single folder, whatever characters its path has.</summary>
    public static SymbolPath OfFolder(string folder) => new([new SymbolPlace([folder], null)], []);

    /// <summary>Parses <c>dir;srv*cache*http://server;srv*http://server;cache*dir;symsrv*symsrv.dll*cache*http://server</c>.</summary>
    /// <param name="text">The path. Nothing in it is an error: what is not understood becomes a gap.</param>
    /// <param name="defaultCache">Where downloads are kept that the path names no folder for; null for nowhere, which makes such a server a gap.</param>
    public static SymbolPath Parse(string text, string? defaultCache)
    {
        ArgumentNullException.ThrowIfNull(text);
        List<SymbolPlace> places = [];
        List<Gap> gaps = [];
        string? cache = null;
        foreach (string element in text.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (places.Count >= MaxPlaces)
            {
                gaps.Add(new Gap(What, $"more than {MaxPlaces} places are not searched"));
                break;
            }

            if (PlaceOf(element.Split('*', StringSplitOptions.TrimEntries), ref cache, defaultCache, out string? problem) is { } place)
            {
                places.Add(place);
            }

            if (problem is not null)
            {
                gaps.Add(new Gap(What, problem));
            }
        }

        return new SymbolPath(places, gaps);
    }

    private static SymbolPlace? PlaceOf(string[] parts, ref string? cache, string? defaultCache, out string? problem)
    {
        problem = null;
        switch (parts[0].ToLowerInvariant())
        {
            case "cache" when parts.Length == 2 && CacheOf(parts[1], defaultCache) is { } folder:
                cache ??= folder;
                return new SymbolPlace([folder], null);
            case "srv" when parts.Length > 1:
                return Chain(parts.AsSpan(1), cache, defaultCache, out problem);
            case "symsrv" when parts.Length > 2 && parts[1].Equals("symsrv.dll", StringComparison.OrdinalIgnoreCase):
                return Chain(parts.AsSpan(2), cache, defaultCache, out problem);
            case "symsrv" when parts.Length > 2:
                problem = "a symbol server library is never loaded";
                return null;
            case not null when parts.Length > 1:
                problem = "it has an element that is not understood";
                return null;
            default:
                return Chain(parts, cache, defaultCache, out problem);
        }
    }

    /// <summary>This path, then another one.</summary>
    public SymbolPath Then(SymbolPath next)
    {
        ArgumentNullException.ThrowIfNull(next);
        return new SymbolPath([.. Places, .. next.Places], [.. Gaps, .. next.Gaps]);
    }

    /// <summary>An empty store stands for the default cache, as in <c>srv**http://server</c>.</summary>
    private static string? CacheOf(string store, string? defaultCache) => store.Length > 0 ? store : defaultCache;

    private static SymbolPlace? Chain(ReadOnlySpan<string> stores, string? cache, string? defaultCache, out string? why)
    {
        why = null;
        List<string> folders = cache is null ? [] : [cache];
        Uri? server = null;
        foreach (string store in stores)
        {
            if (server is not null)
            {
                why = "what follows a server in one element is not used";
                break;
            }

            if (store.Contains("://", StringComparison.Ordinal))
            {
                server = ServerOf(store);
                if (server is null)
                {
                    why = "it names a server that is neither http nor https";
                    return null;
                }
            }
            else if (CacheOf(store, defaultCache) is { } folder)
            {
                folders.Add(folder);
            }
        }

        if (server is not null && folders.Count == 0 && defaultCache is not null)
        {
            folders.Add(defaultCache);
        }

        if (folders.Count == 0)
        {
            why = server is null ? "it has an empty element" : $"there is no folder to keep what {server.Host} gives";
            return null;
        }

        return new SymbolPlace(folders, server);
    }

    private static Uri? ServerOf(string text)
        => Uri.TryCreate(text.TrimEnd('/') + "/", UriKind.Absolute, out Uri? uri) && uri.Scheme is "http" or "https" && uri.Query.Length == 0 ? uri : null;
}
