using System.Diagnostics;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Support.Lab;

/// <summary>The Windows lab (tests/Lab/lab.sh): real Windows processes, dumps and the real debugger engine.</summary>
public static class WindowsLab
{
    private const int NotHere = 3;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(15);

    // Of processor time: it may have programs to publish, and the machine is shared with what else runs under Wine.
    private static readonly TimeSpan s_mostUsed = TimeSpan.FromMinutes(60);
    private static readonly Lazy<LabRun> s_status = new(() => RunScript("status"));

    /// <summary>Where the lab lies, and all that it makes.</summary>
    public static string Folder { get; } = Environment.GetEnvironmentVariable("HANGTRIAGE_LAB") is { Length: > 0 } folder
        ? folder
        : Path.Combine(Repository.Artifacts, "lab");

    /// <summary>Whether it is installed.</summary>
    public static bool IsHere => OperatingSystem.IsLinux() && s_status.Value.ExitCode != NotHere;

    /// <summary>Runs a command of the lab; skips the test where the lab cannot be had.</summary>
    public static LabRun Run(params string[] arguments)
    {
        Require();
        return RunScript(arguments);
    }

    /// <summary>Runs a command of the lab that must succeed, and returns what it printed.</summary>
    public static string Output(params string[] arguments)
    {
        LabRun run = Run(arguments);
        return run.ExitCode == 0
            ? run.Output
            : throw new InvalidOperationException($"lab.sh {string.Join(' ', arguments)} ended with {run.ExitCode}: {run.Output}{run.Error}");
    }

    public static void Require()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("the Windows lab runs on Linux");
        }

        if (!IsHere)
        {
            Skip.Because(s_status.Value.Output.Trim());
        }
    }

    /// <summary>A minidump of a sample that hangs, made once and kept for all tests of a run of the same sources.</summary>
    /// <param name="sample">The name of a folder in samples/.</param>
    /// <param name="flags">The MINIDUMP_TYPE, such as 0x1806.</param>
    public static string Dump(string sample, string flags)
    {
        string built = Path.Combine(Output("build", sample).Trim(), "built");
        string folder = Directory.CreateDirectory(Path.Combine(Folder, "dumps")).FullName;
        string dump = Path.Combine(folder, $"{sample}-{flags}.dmp");
        using FileStream gate = Gate(dump + ".lock");
        if (!File.Exists(dump) || File.GetLastWriteTimeUtc(dump) < File.GetLastWriteTimeUtc(built))
        {
            Output("dump", sample, flags, dump + ".new");
            File.Move(dump + ".new", dump, overwrite: true);
        }

        return dump;
    }

    /// <summary>The folder of the lab's Windows with the system's images.</summary>
    public static string SystemImages => Path.Combine(Folder, "prefix", "drive_c", "windows", "system32");

    /// <summary>The folder with a sample's images.</summary>
    public static string SampleImages(string sample) => Output("build", sample).Trim();

    /// <summary>Runs the tool as a Windows program, on paths as that sees them.</summary>
    public static ToolRun Triage(params string[] arguments)
    {
        LabRun run = Run(["triage", .. arguments]);
        return new ToolRun(run.ExitCode, run.Output, run.Error);
    }

    /// <summary>The path as a program in the lab sees it.</summary>
    public static string WindowsPath(string path) => Output("winpath", path).Trim();

    // Test assemblies run side by side; the file stays open while one of them makes the dump.
    private static FileStream Gate(string path)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (true)
        {
            try
            {
                return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (IOException) when (waited.Elapsed < s_limit)
            {
                Thread.Sleep(100);
            }
        }
    }

    private static LabRun RunScript(params string[] arguments)
    {
        ProcessStartInfo start = new("bash", [Path.Combine(Repository.Root, "tests", "Lab", "lab.sh"), .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (arguments[0] != "prepare")
        {
            start.Environment["HANGTRIAGE_LAB_PREPARED"] = "yes";
        }

        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        int script = process.Id;
        if (RunLimit.WhyNot(new Patience(s_mostUsed, () => WineProcesses.And(script)), process.WaitForExit) is { } why)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"lab.sh {string.Join(' ', arguments)} did not end: {why}.");
        }

        return new LabRun(process.ExitCode, output.GetAwaiter().GetResult(), error.GetAwaiter().GetResult());
    }
}
