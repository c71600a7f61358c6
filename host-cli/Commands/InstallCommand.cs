using System.CommandLine;
using HangTriage.Cli.Installing;
using HangTriage.Reports;

namespace HangTriage.Cli.Commands;

/// <summary>install and uninstall: the same hosts and places, there and back.</summary>
internal sealed class InstallCommand : Command, IHasExamples
{
    private const string WinDbg = "windbg";
    private const string DotnetDump = "dotnet-dump";

    private readonly string _name;

    private InstallCommand(Host host, string name, string description, Func<IInstallable, IReadOnlyList<string>> run)
        : base(name, description)
    {
        _name = name;
        Argument<string> target = new("HOST") { Description = "windbg, or dotnet-dump (for dotnet-dump, and SOS in WinDbg and lldb)." };
        target.CompletionSources.Add(WinDbg, DotnetDump);
        target.Validators.Add(result =>
        {
            if (result.Tokens is [{ Value: not (WinDbg or DotnetDump) } other])
            {
                result.AddError($"There is no extension for '{other.Value}'; there are those for {WinDbg} and {DotnetDump}.");
            }
        });
        Option<string?> into = new("--into")
        {
            Description = "Another place than the user's: for dotnet-dump the folder that dotnet-dump or SOS lies in, for windbg a UserExtensions folder.",
            HelpName = "DIR",
        };
        Arguments.Add(target);
        Options.Add(into);
        SetAction(parsed =>
        {
            string? place = parsed.GetValue(into);
            IInstallable extension = parsed.GetRequiredValue(target) == WinDbg
                ? new WinDbgExtension(host.ToolFolder, host.UserData, place)
                : new DotnetDumpExtension(host.ToolFolder, host.UserData, place);
            foreach (string line in run(extension))
            {
                host.Out.WriteLine(Printable.Line(line));
            }

            return ExitCode.Done;
        });
    }

    public IReadOnlyList<string> Examples =>
    [
        $"triage {_name} windbg",
        $"triage {_name} dotnet-dump",
        $"triage {_name} dotnet-dump --into ~/.dotnet/sos",
    ];

    public static InstallCommand Install(Host host)
        => new(host, "install", "Put an extension where its host finds it, and say what was done.", extension => extension.Install());

    public static InstallCommand Uninstall(Host host)
        => new(host, "uninstall", "Take away what install has put.", extension => extension.Uninstall());
}
