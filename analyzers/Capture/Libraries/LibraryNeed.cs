namespace HangTriage.Capture.Libraries;

/// <summary>The library that a target needs.</summary>
internal sealed record LibraryNeed
{
    /// <summary>What it is called in the folder of a runtime.</summary>
    public required IReadOnlyList<string> FileNames { get; init; }

    /// <summary>What the runtime is called that lies beside it.</summary>
    public required string RuntimeName { get; init; }

    /// <summary>Its version and build, in words: ".NET 9.0.4 with build id 1f0e...".</summary>
    public required string Build { get; init; }

    /// <summary>Whether this file is a library that the target's runtime itself names.</summary>
    public required Func<string, bool> IsLibrary { get; init; }

    /// <summary>Whether this file is the target's runtime; the library beside it is of the same build.</summary>
    public required Func<string, bool> IsRuntime { get; init; }

    /// <summary>Folders that the target names, or the user for data. They are looked at, and nothing is loaded from them.</summary>
    public IReadOnlyList<string> Seen { get; init; } = [];

    /// <param name="file">A library.</param>
    /// <param name="resolve">The ordinary file at a path; null where it has none, or that one is not to be opened.</param>
    public bool FitsTo(string file, Func<string, string?> resolve)
        => IsLibrary(file) || (resolve(Path.Join(Path.GetDirectoryName(file), RuntimeName)) is { } runtime && IsRuntime(runtime));
}
