using HangTriage.Capture;

namespace HangTriage.Cli;

/// <summary>Joins what <c>--symbols</c> and the environment say.</summary>
internal static class SymbolPaths
{
    /// <param name="host">Its environment comes last.</param>
    /// <param name="values">Folders, or paths in the syntax of <c>_NT_SYMBOL_PATH</c>.</param>
    /// <exception cref="UsageException">A value cannot be used as it was given. What the environment says is never an error.</exception>
    public static SymbolPath Of(Host host, IReadOnlyList<string> values)
    {
        SymbolPath all = SymbolPath.Empty;
        foreach (string value in values)
        {
            all = all.Then(OfValue(host, value));
        }

        return all.Then(SymbolPath.Parse(host.SymbolPath, host.SymbolCache));
    }

    private static SymbolPath OfValue(Host host, string value)
    {
        if (Directory.Exists(value))
        {
            return SymbolPath.OfFolder(value);
        }

        SymbolPath path = SymbolPath.Parse(value, host.SymbolCache);
        return path.Gaps is [{ } gap, ..] ? throw new UsageException($"--symbols {value}: {gap.Why}.")
            : path.IsEmpty ? throw new UsageException("--symbols needs a folder or a symbol path.")
            : path.Places is [{ Server: null }] && !value.Contains('*') ? throw new UsageException($"--symbols {value}: there is no such folder.")
            : path;
    }
}
