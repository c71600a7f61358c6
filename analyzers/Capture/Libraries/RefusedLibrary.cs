namespace HangTriage.Capture.Libraries;

/// <summary>A library of the right build that is not loaded.</summary>
/// <param name="File">Its path.</param>
/// <param name="Why">"others can write to /opt".</param>
internal sealed record RefusedLibrary(string File, string Why)
{
    /// <summary>It is loaded once the user names its folder.</summary>
    public bool CanBeNamed { get; init; } = true;
}
