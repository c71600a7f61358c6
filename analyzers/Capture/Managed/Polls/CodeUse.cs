using HangTriage.Capture.Managed.Flows;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still come to instructions of one kind: to those that use a static field, to those that end waits.</summary>
internal sealed record CodeUse
{
    /// <summary>Anybody may, and nothing is known of the instructions.</summary>
    public static CodeUse Open { get; } = Of([], []) with { IsOpen = true };

    /// <summary>Nobody is seen to be able to come there.</summary>
    public static CodeUse Of(IEnumerable<string> methods, IEnumerable<string> givers)
        => new() { Methods = [.. methods], Givers = [.. givers], By = [] };

    /// <summary>The methods that have such an instruction.</summary>
    public required IReadOnlyList<string> Methods { get; init; }

    /// <summary>Those of them that signal, complete or fill what is waited for.</summary>
    public required IReadOnlyList<string> Givers { get; init; }

    /// <summary>The one static field that they use; null for several, and for other instructions.</summary>
    public string? Field { get; init; }

    /// <summary>The runtime's threads, boxes of async methods and delegates that can come to such a method.</summary>
    public required IReadOnlyList<ulong> By { get; init; }

    /// <summary>Code of .NET that has these objects can come there, by a method of theirs that overrides or implements one of .NET's.</summary>
    public IReadOnlyList<ulong> Objects { get; init; } = [];

    /// <summary>All that lead there: who can come himself, and whoever has one of the objects.</summary>
    public IEnumerable<ulong> Leading => By.Concat(Objects);

    /// <summary>The thread works on something that it has in hand, and comes to such an instruction before it takes the next.</summary>
    public Func<ClrThread, bool> IsAtWork { get; init; } = _ => false;

    /// <summary>The same of an async method and those that await it, each the one before.</summary>
    public Func<IEnumerable<FlowBox>, bool> AreAtWork { get; init; } = _ => false;

    /// <summary>Code that is not the program's may come there.</summary>
    public bool IsOpen { get; init; }
}
