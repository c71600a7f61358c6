namespace HangTriage.Cli;

/// <summary>What a <see cref="Supervisor"/> tells the process that does the work.</summary>
internal static class Worker
{
    public const string Mark = "TRIAGE_WORKER";
    public const string WithoutRuntime = "TRIAGE_WITHOUT_RUNTIME";

    public static bool IsThisProcess => Environment.GetEnvironmentVariable(Mark) == "1";

    /// <summary>Why the data of a .NET runtime is not to be read; null to read it.</summary>
    public static string? WhyWithoutRuntime
        => IsThisProcess && Environment.GetEnvironmentVariable(WithoutRuntime) is { Length: > 0 } why ? why : null;
}
