namespace HangTriage.Tests.Support.Dumps;

/// <summary>MonitorDeadlock with a .NET of its own beside it, of a build that is not installed.</summary>
public static class OwnRuntime
{
    public const string Program = "MonitorDeadlock";

    public static PreparedPart Part { get; } = new(
        "own-runtime", Path.Combine("own-runtime", "app"), () => DotNetPrograms.SourcesOf(Repository.Sample(Program)));

    /// <summary>The folder with all that the program needs but the system's own libraries.</summary>
    public static string Find() => Part.Find();
}
