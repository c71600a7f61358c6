using System.Globalization;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>What a target program printed of one of its threads, "-" and null for nothing.</summary>
internal sealed record ThreadTruth(string Name, ThreadId OsId, int ManagedId, string? Holds, string? Waits, string? Kind, TimeSpan Timeout)
{
    /// <summary>The names of the threads that this one waits for.</summary>
    public IReadOnlyList<string> On { get; private init; } = [];

    public static IReadOnlyList<ThreadTruth> Of(DumpedProcess process) => [.. process.Records("name").Select(Parse)];

    private static ThreadTruth Parse(IReadOnlyDictionary<string, string> words)
    {
        int timeout = int.Parse(words.GetValueOrDefault("timeout", "-1"), CultureInfo.InvariantCulture);
        return new ThreadTruth(
            words["name"],
            new ThreadId(uint.Parse(words["osid"].AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture)),
            int.Parse(words["managed"], CultureInfo.InvariantCulture),
            Null(words.GetValueOrDefault("holds")),
            Null(words["waits"]),
            Null(words.GetValueOrDefault("kind")),
            timeout < 0 ? System.Threading.Timeout.InfiniteTimeSpan : TimeSpan.FromMilliseconds(timeout))
        {
            On = Null(words.GetValueOrDefault("on"))?.Split('+') ?? [],
        };
    }

    private static string? Null(string? word) => word == "-" ? null : word;
}
