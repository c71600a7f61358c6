namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still use a static field.</summary>
internal sealed record StaticUse
{
    /// <summary>Anybody may.</summary>
    public static StaticUse Open { get; } = new() { Methods = [], Givers = [], By = [], IsOpen = true };

    /// <summary>The methods that use it and do not merely wait.</summary>
    public required IReadOnlyList<string> Methods { get; init; }

    /// <summary>Those of them that signal, complete or fill what it holds.</summary>
    public required IReadOnlyList<string> Givers { get; init; }

    /// <summary>The runtime's threads, boxes of async methods and delegates that can come to such a method.</summary>
    public required IReadOnlyList<ulong> By { get; init; }

    /// <summary>Code that is not the program's may come there.</summary>
    public bool IsOpen { get; init; }
}
