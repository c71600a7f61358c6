using HangTriage.Capture.Live;

namespace HangTriage.Cli.Live;

/// <summary>The name that the user gave fits several processes.</summary>
internal sealed class SeveralProcessesException(string name, IReadOnlyList<ProcessEntry> processes)
    : Exception($"{processes.Count} processes are called {name}; say which by its id:")
{
    public IReadOnlyList<ProcessEntry> Processes { get; } = processes;
}
