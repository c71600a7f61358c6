namespace HangTriage.Tests.Support.Lab;

/// <summary>What a command of the lab printed, and how it ended.</summary>
public sealed record LabRun(int ExitCode, string Output, string Error);
