using System.Reflection;
using System.Text;
using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Rules;

namespace HangTriage.Cli;

/// <summary>What the commands reach the world through.</summary>
internal sealed record Host
{
    /// <summary>Results.</summary>
    public required TextWriter Out { get; init; }

    /// <summary>Everything else.</summary>
    public required TextWriter Error { get; init; }

    /// <summary>Opens standard input, for commands that read it.</summary>
    public Func<Stream> In { get; init; } = () => Stream.Null;

    public Terminal Terminal { get; init; } = Terminal.None;

    public CancellationToken Cancellation { get; init; }

    /// <summary>Show where an error arose.</summary>
    public bool IsDebug { get; init; }

    /// <summary>What <c>_NT_SYMBOL_PATH</c> says.</summary>
    public string SymbolPath { get; init; } = string.Empty;

    /// <summary>Where downloaded symbols are kept that the symbol path names no folder for; null for nowhere.</summary>
    public string? SymbolCache { get; init; }

    /// <summary>Where the tool lies, with the extensions that came with it.</summary>
    public string ToolFolder { get; init; } = AppContext.BaseDirectory;

    /// <summary>Where programs keep data of this user.</summary>
    public string UserData { get; init; }
        = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData, Environment.SpecialFolderOption.DoNotVerify);

    /// <summary>Why the data of a .NET runtime is not to be read; null to read it.</summary>
    public string? WhyWithoutRuntime { get; init; }

    /// <summary>Hears of the progress of reading; null where nobody asks.</summary>
    public IReadingWatch? Watch { get; init; }

    /// <summary>Load the code of rules and reports while a target is read (<see cref="WarmUp"/>).</summary>
    public bool WarmsUp { get; init; }

    /// <summary>How long a worker may read without progress.</summary>
    public TimeSpan LongestSilence { get; init; } = Supervisor.LongestSilence;

    public Func<string, CaptureContext, Case> Capture { get; init; } = Targets.Capture;

    public Func<Case, TriageResult> Judge { get; init; } = Triage.Judge;

    /// <summary>As reports have it: without the commit, which the extensions do not know.</summary>
    public static string Version { get; } =
        typeof(Host).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

    public static Host OfProcess(CancellationToken cancellation)
    {
        UTF8Encoding utf8 = new(encoderShouldEmitUTF8Identifier: false);
        return new Host
        {
            Out = new StreamWriter(Console.OpenStandardOutput(), utf8, 16 * 1024) { NewLine = "\n" },
            Error = new StreamWriter(Console.OpenStandardError(), utf8) { NewLine = "\n", AutoFlush = true },
            In = Console.OpenStandardInput,
            Terminal = Terminal.OfProcess(),
            Cancellation = cancellation,
            IsDebug = Environment.GetEnvironmentVariable("TRIAGE_DEBUG") == "1",
            SymbolPath = Environment.GetEnvironmentVariable("_NT_SYMBOL_PATH") ?? string.Empty,
            SymbolCache = CacheOfUser(),
            WhyWithoutRuntime = Worker.WhyWithoutRuntime,
            Watch = Pulse.OfProcess(),
            WarmsUp = Environment.ProcessorCount > 1,
            LongestSilence = Supervisor.SilenceOfEnvironment(),
        };
    }

    private static string? CacheOfUser()
        => Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData) is { Length: > 0 } folder
            ? Path.Combine(folder, "HangTriage", "symbols")
            : null;
}
