using System.CommandLine;

namespace HangTriage.Cli.Commands;

/// <summary>The options of every command that reads a target.</summary>
internal sealed class CaptureOptions
{
    private readonly Option<string[]> _symbols = new("--symbols")
    {
        Description = "Where the process's image files and PDBs are: a folder, a symbol store, or a path as _NT_SYMBOL_PATH has it. "
            + "May be given several times; _NT_SYMBOL_PATH comes last. Only servers that are named here or there are asked.",
        HelpName = "PATH",
        DefaultValueFactory = _ => [],
    };

    private readonly Option<string?> _dac = new("--dac")
    {
        Description = "The library that reads the .NET runtime's data, such as a universal one for dumps of another system. "
            + "It is code, and is loaded as it is; without this option the runtime's own is looked for and verified.",
        HelpName = "FILE",
    };

    private readonly Option<bool> _deep = new("--deep")
    {
        Description = "Look at the whole heap of a .NET process for damaged collections, not only at those that threads work on. Takes seconds a gigabyte.",
    };

    public void AddTo(Command command)
    {
        command.Options.Add(_symbols);
        command.Options.Add(_dac);
        command.Options.Add(_deep);
    }

    /// <exception cref="UsageException">A value cannot be used as it was given.</exception>
    public CaptureChoices Of(ParseResult parsed, Host host)
    {
        string? dac = parsed.GetValue(_dac);
        return dac is null || File.Exists(dac)
            ? new CaptureChoices(SymbolPaths.Of(host, parsed.GetRequiredValue(_symbols)), dac is null ? null : Path.GetFullPath(dac), parsed.GetValue(_deep))
            : throw new UsageException($"--dac {dac}: there is no such file.");
    }
}
