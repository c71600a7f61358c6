using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>The built extension, laid out as a user would have it, and run in the real engine.</summary>
internal static class DebuggerExtension
{
    public const string DotNet8 = "8.0.33";
    public const string DotNet10 = "10.0.14";

    private static readonly Lazy<string> s_folder = new(LayOut);

    /// <summary>The command that loads it.</summary>
    public static string Load => $".load {WindowsLab.WindowsPath(Path.Combine(s_folder.Value, "triage.dll"))}";

    /// <summary>Loads the extension in the engine on a dump and runs commands.</summary>
    public static LabRun Run(string dotnet, string dump, params string[] commands)
        => WindowsLab.Run(["engine", "--dotnet", dotnet, dump, Load, .. commands]);

    /// <summary>The same on a live sample that the engine attaches to without stopping it for good.</summary>
    public static LabRun RunLive(string dotnet, string sample, params string[] commands)
        => WindowsLab.Run(["engine", "--dotnet", dotnet, "--attach", sample, Load, .. commands]);

    /// <summary>The same on a machine that has no .NET.</summary>
    public static LabRun RunWithoutDotNet(string dump, params string[] commands)
        => WindowsLab.Run(["engine", dump, Load, .. commands]);

    private static string LayOut()
    {
        WindowsLab.Output("shim");
        string built = Path.Combine(Repository.Artifacts, "bin", "HangTriage.DbgEng", Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory)));
        string folder = Directory.CreateDirectory(Path.Combine(WindowsLab.Folder, "extension")).FullName;
        foreach (string file in Directory.GetFiles(built))
        {
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)), overwrite: true);
        }

        File.Copy(Path.Combine(WindowsLab.Folder, "shim", "triage.dll"), Path.Combine(folder, "triage.dll"), overwrite: true);
        return folder;
    }
}
