namespace HangTriage.Capture.Managed.Polls;

/// <summary>Who can still use a static field.</summary>
internal sealed record StaticUse
{
    /// <summary>Anybody may.</summary>
    public static StaticUse Open { get; } = new() { Fields = [], Methods = [], By = [], IsOpen = true };

    /// <summary>The fields, as "App.Cache.s_items".</summary>
    public required IReadOnlyList<string> Fields { get; init; }

    /// <summary>The methods with an instruction that uses one of them.</summary>
    public required IReadOnlyList<string> Methods { get; init; }

    /// <summary>The runtime's threads, boxes of async methods and delegates that can come to such a method.</summary>
    public required IReadOnlyList<ulong> By { get; init; }

    /// <summary>Code that is not the program's may come there.</summary>
    public bool IsOpen { get; init; }
}
