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

    /// <summary>What each command printed, in one session of the engine.</summary>
    /// <param name="options">What lab.sh engine takes before the commands; the extension is loaded first.</param>
    /// <param name="commands">The commands.</param>
    public static IReadOnlyList<string> Answers(string[] options, params string[] commands)
    {
        const string Next = "-- next --";
        LabRun run = Engine(options, Load, commands.SelectMany(command => new[] { $".echo {Next}", command }).ToArray());
        string[] answers = run.Output.Split(Next)[1..];
        Assert.True(answers.Length == commands.Length, run.Output + run.Error);
        return answers;
    }

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
