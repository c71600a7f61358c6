using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Tests.Unit.Waits;

/// <summary>Something that .NET offers to wait on, in the words of docs/waits.md.</summary>
/// <param name="Name">As a programmer knows it.</param>
/// <param name="Read">What is read of it.</param>
/// <param name="Runtimes">On which runtimes.</param>
/// <param name="Unknown">What a dump cannot tell, and why.</param>
internal sealed record WaitPrimitive(string Name, string Read, string Runtimes, string Unknown)
{
    /// <summary>Which of the known calls are its.</summary>
    public Func<KnownCall, bool> Has { get; init; } = static _ => false;

    /// <summary>The kinds under which facts have it.</summary>
    public IReadOnlyList<LockKind> Locks { get; init; } = [];

    /// <summary>The kinds of waits of async methods that are for it.</summary>
    public IReadOnlyList<FlowWaitKind> Flows { get; init; } = [];
}
