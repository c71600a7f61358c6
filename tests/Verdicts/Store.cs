namespace HangTriage.Verdicts;

/// <summary>A folder of dumps; each may have a file NAME.args beside it with arguments for the tool, one in a line.</summary>
internal sealed class Store
{
    private static readonly string[] s_endings = [".core", ".dmp", ".gz", ".zip"];

    public Store(string folder) => Dumps =
    [
        .. Directory.EnumerateFiles(folder).Where(file => s_endings.Contains(Path.GetExtension(file))).Order(StringComparer.Ordinal),
    ];

    public IReadOnlyList<string> Dumps { get; }
}
