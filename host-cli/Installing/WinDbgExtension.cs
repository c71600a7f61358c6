using System.Reflection;
using System.Security;

namespace HangTriage.Cli.Installing;

/// <summary>
/// The !triage extension. WinDbg reads the manifest of each package in the user's UserExtensions folder and loads the
/// library when the command is first used; the package's folder bears its name, and holds one folder a version.
/// </summary>
internal sealed class WinDbgExtension(string toolFolder, string userData, string? into) : IInstallable
{
    private const string Package = "HangTriage";
    private const string Library = "triage.dll";

    private static string Version { get; } = typeof(WinDbgExtension).Assembly.GetName().Version!.ToString();

    private string Folder
        => into is not null ? Path.Combine(Path.GetFullPath(into), Package)
            : OperatingSystem.IsWindows() ? Path.Combine(userData, "dbg", "UserExtensions", Package)
            : throw new UsageException("WinDbg runs on Windows; elsewhere --into names its UserExtensions folder.");

    public IReadOnlyList<string> Install()
    {
        string folder = Folder;
        Dictionary<string, Action<string>> files = ShippedExtension
            .Files(toolFolder, "windbg", Library, "this tool came without this library of the extension for WinDbg; build it from extension/DbgEng/native")
            .ToDictionary(file => Path.Combine(Version, "amd64", file.Key), file => file.Value);
        files["GalleryManifest.xml"] = path => File.WriteAllText(path, Manifest);
        new InstalledFolder(folder).Put(files);
        return
        [
            $"put into {folder}",
            "WinDbg knows the command !triage when it starts next; in other debuggers of that engine:",
            $"  .load {Path.Combine(folder, Version, "amd64", Library)}",
        ];
    }

    public IReadOnlyList<string> Uninstall()
    {
        int removed = new InstalledFolder(Folder).Remove();
        return [removed == 0 ? "nothing was installed" : $"{removed} files taken away"];
    }

    private static string Manifest =>
        $"""
        <?xml version="1.0" encoding="utf-8"?>
        <ExtensionPackages Version="1.0.0.0" Compression="none">
          <ExtensionPackage>
            <Name>{Package}</Name>
            <Version>{SecurityElement.Escape(Version)}</Version>
            <Description>Names the culprit of a hang: who waits for whom, and what the last one does.</Description>
            <Components>
              <BinaryComponent Name="triage" Type="Engine">
                <Files>
                  <File Architecture="amd64" Module="amd64\{Library}" FilePathKind="RepositoryRelative" />
                </Files>
                <LoadTriggers>
                  <TriggerSet />
                </LoadTriggers>
                <EngineCommands>
                  <EngineCommand Name="triage">
                    <EngineCommandItem>
                      <Syntax>!triage</Syntax>
                      <Description>Names the culprit of a hang</Description>
                    </EngineCommandItem>
                  </EngineCommand>
                </EngineCommands>
              </BinaryComponent>
            </Components>
          </ExtensionPackage>
        </ExtensionPackages>

        """;
}
