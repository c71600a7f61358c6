namespace HangTriage.Tests.Support.Dumps;

/// <summary>A process that said that it is ready, and was dumped and ended.</summary>
/// <param name="CorePath">Its dump.</param>
/// <param name="Output">The lines that it printed, the last is the READY one.</param>
/// <param name="Program">The file that was started.</param>
public sealed record DumpedProcess(string CorePath, IReadOnlyList<string> Output, string Program)
{
    /// <summary>The words of the form key=value in each line that has the key.</summary>
    public IEnumerable<IReadOnlyDictionary<string, string>> Records(string key)
        => Output
            .Select(line => line.Split(' ')
                .Select(word => word.Split('=', 2))
                .Where(parts => parts.Length == 2)
                .ToDictionary(parts => parts[0], parts => parts[1]))
            .Where(record => record.ContainsKey(key));

    /// <summary>The folder of the runtime that the program brings, which a reader has to be told of; null where it uses the installed one.</summary>
    public string? RuntimeFolder => DotNetPrograms.RuntimeFolderOf(Program);

    public IReadOnlyDictionary<string, string> Ready => Records("pid").Single();
}
