using System.CommandLine;
using HangTriage.Capture;
using HangTriage.Capture.Libraries;
using HangTriage.Capture.Symbols;

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
        Description = "The library that reads the .NET runtime's data, or the folder of a runtime that has it, such as a self-contained program's. "
            + "It is code: it is loaded if its build is the target's. Without this option only installed runtimes are used.",
        HelpName = "FILE|FOLDER",
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
        string[] values = parsed.GetRequiredValue(_symbols);
        return new CaptureChoices(SymbolPaths.Of(host, values), DacOf(parsed.GetValue(_dac)), parsed.GetValue(_deep)) { SymbolArguments = values };
    }

    /// <summary>What says the same to another process of this tool.</summary>
    public static IEnumerable<string> Words(CaptureChoices choices)
        =>
        [
            .. choices.Dac is { } dac ? ["--dac", dac] : Array.Empty<string>(),
            .. choices.SymbolArguments.SelectMany(path => new[] { "--symbols", path }),
            .. choices.IsDeep ? ["--deep"] : Array.Empty<string>(),
        ];

    private static string? DacOf(string? value)
        => value is null ? null
            : File.Exists(value) || NamedLibrary.FileNames.Any(name => File.Exists(Path.Join(value, name))) ? Path.GetFullPath(value)
            : Directory.Exists(value) ? throw new UsageException($"--dac {value}: there is no {string.Join(" or ", NamedLibrary.FileNames)} in that folder.")
            : throw new UsageException($"--dac {value}: there is no such file or folder.");
}
