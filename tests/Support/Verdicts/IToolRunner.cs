using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.Support.Verdicts;

/// <summary>Runs a build of the tool.</summary>
public interface IToolRunner
{
    /// <summary>What the exit code is said to be where the tool did not end in time.</summary>
    const int TimedOut = 124;

    ToolRun Run(string[] arguments, TimeSpan limit);
}
