using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>The built extension, laid out as a user would have it, and run in the real engine.</summary>
internal static class DebuggerExtension
{
    public const string DotNet8 = "8.0.33";
    public const string DotNet9 = "9.0.20";
    public const string DotNet10 = "10.0.14";

    private static readonly Lazy<string> s_folder = new(LayOut);

    /// <summary>The command that loads it.</summary>
    public static string Load => $".load {WindowsLab.WindowsPath(Path.Combine(s_folder.Value, "triage.dll"))}";

    /// <summary>The command that loads the stand-in for SOS, whose command !sos.ext starts the .NET that the option --sos names.</summary>
    public static string LoadSos => $".load {WindowsLab.WindowsPath(EngineFile(Path.Combine("standin", "sos.dll")))}";

    /// <summary>Loads the extension in the engine on a dump and runs commands.</summary>
    public static LabRun Run(string dotnet, string dump, params string[] commands)
        => Engine("--dotnet", dotnet, dump, Load, commands);

    /// <summary>The same on a live sample that the engine attaches to without stopping it for good.</summary>
    public static LabRun RunLive(string dotnet, string sample, params string[] commands)
        => Engine("--dotnet", dotnet, "--attach", sample, Load, commands);

    /// <summary>The same on a machine that has no .NET.</summary>
    public static LabRun RunWithoutDotNet(string dump, params string[] commands)
        => Engine(dump, Load, commands);

    /// <summary>The engine with options and commands of the caller's.</summary>
    public static LabRun Engine(params object[] arguments)
        => WindowsLab.Run(["engine", .. arguments.SelectMany(argument => argument as string[] ?? [(string)argument])]);

    /// <summary>A program or library that lies beside the engine.</summary>
    public static string EngineFile(string name) => Path.Combine(WindowsLab.Folder, "engine", name);

    private static string LayOut()
    {
        WindowsLab.Output("shim");
        string built = Path.Combine(Repository.Artifacts, "bin", "HangTriage.DbgEng", Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory)));
        string folder = Path.Combine(WindowsLab.Folder, "extension");
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }

        Directory.CreateDirectory(folder);
        foreach (string file in Directory.GetFiles(built))
        {
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)), overwrite: true);
        }

        File.Copy(Path.Combine(WindowsLab.Folder, "shim", "triage.dll"), Path.Combine(folder, "triage.dll"), overwrite: true);
        return folder;
    }
}
