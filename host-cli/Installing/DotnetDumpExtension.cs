using System.Reflection;

namespace HangTriage.Cli.Installing;

/// <summary>
/// The triage command of dotnet-dump and SOS. It goes to a folder of the user's data, one build for each major version of
/// the host, and an environment variable names it; or into a host's own "extensions" folder.
/// </summary>
internal sealed class DotnetDumpExtension(string toolFolder, string userData, string? into) : IInstallable
{
    private const string Library = "HangTriage.DotnetDump.dll";
    private const string HostLibrary = "Microsoft.Diagnostics.DebugServices.dll";
    private const string Variable = "DOTNET_DIAGNOSTIC_EXTENSIONS";

    private static readonly int[] s_majors = [10, 9];

    public IReadOnlyList<string> Install() => into is null ? InstallForUser() : InstallInto();

    public IReadOnlyList<string> Uninstall()
    {
        int removed = into is null ? s_majors.Sum(major => new InstalledFolder(OfUser(major)).Remove()) : new InstalledFolder(HostExtensions().Folder).Remove();
        string[] done = [removed == 0 ? "nothing was installed" : $"{removed} files taken away"];
        return into is null && removed > 0 ? [.. done, $"take it out of {Variable}, where you set it"] : done;
    }

    private List<string> InstallForUser()
    {
        List<string> lines = [];
        foreach (int major in s_majors)
        {
            new InstalledFolder(OfUser(major)).Put(Files(major));
            lines.Add($"for dotnet-dump and SOS {major}.x, set the variable before you start dotnet-dump, lldb or WinDbg:");
            string library = Path.Combine(OfUser(major), Library);
            lines.Add(OperatingSystem.IsWindows() ? $"  set {Variable}={library}" : $"  export {Variable}={library}");
        }

        return lines;
    }

    private string[] InstallInto()
    {
        (string folder, int major) = HostExtensions();
        new InstalledFolder(folder).Put(Files(major));
        return [$"put into {folder}, for version {major}.x; the command is there when the host starts next"];
    }

    private string OfUser(int major) => Path.Combine(userData, "HangTriage", "dotnet-dump", $"{major}");

    private Dictionary<string, Action<string>> Files(int major)
        => ShippedExtension.Files(toolFolder, Path.Combine("dotnet-dump", $"{major}"), Library, "this tool came without the extension for dotnet-dump");

    /// <summary>The folder that was named, or "extensions" below it where it is the host's own.</summary>
    private (string Folder, int Major) HostExtensions()
    {
        string named = Path.TrimEndingDirectorySeparator(Path.GetFullPath(into!));
        string host = File.Exists(Path.Combine(named, HostLibrary)) ? named : Path.GetDirectoryName(named) ?? named;
        if (!File.Exists(Path.Combine(host, HostLibrary)))
        {
            throw new UsageException($"{into}: neither it nor the folder above holds {HostLibrary}, so it is not of dotnet-dump or SOS.");
        }

        int major = AssemblyName.GetAssemblyName(Path.Combine(host, HostLibrary)).Version!.Major;
        return s_majors.Contains(major)
            ? (Path.Combine(host, "extensions"), major)
            : throw new UsageException($"{into}: this is version {major}.x; there are builds for {string.Join(" and ", s_majors.Select(known => $"{known}.x"))}.");
    }
}
