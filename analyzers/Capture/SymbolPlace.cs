namespace HangTriage.Capture;

/// <summary>One element of a symbol path: folders that are searched in turn, and the server that is asked last.</summary>
/// <param name="Folders">The nearest first; what the server gives is kept in the first one.</param>
/// <param name="Server">An http or https address; null where the element has folders alone.</param>
public sealed record SymbolPlace(IReadOnlyList<string> Folders, Uri? Server);
