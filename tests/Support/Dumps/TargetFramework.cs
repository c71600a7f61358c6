namespace HangTriage.Tests.Support.Dumps;

/// <summary>The .NET that a target program runs on.</summary>
public enum TargetFramework
{
    /// <summary>.NET 8 with its runtime beside the program.</summary>
    Net8,

    /// <summary>.NET 9 with its runtime beside the program.</summary>
    Net9,

    /// <summary>.NET 10, the runtime that the tests run on.</summary>
    Net10,
}
