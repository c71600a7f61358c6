namespace HangTriage.Cli.Installing;

/// <summary>An extension of ours, and where its host looks for it.</summary>
internal interface IInstallable
{
    /// <returns>What was done and what the user does next, line by line.</returns>
    /// <exception cref="InputException">This tool came without the extension.</exception>
    /// <exception cref="UsageException">There is no place to put it.</exception>
    /// <exception cref="OutputException">A file could not be written.</exception>
    IReadOnlyList<string> Install();

    /// <returns>What was done, line by line.</returns>
    /// <exception cref="OutputException">A file could not be deleted.</exception>
    IReadOnlyList<string> Uninstall();
}
