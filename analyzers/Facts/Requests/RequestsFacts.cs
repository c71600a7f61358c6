namespace HangTriage.Facts;

/// <summary>The requests over HTTP that are under way.</summary>
/// <param name="List">The oldest first; those of unknown age last.</param>
/// <param name="Omitted">How many more there are.</param>
public sealed record RequestsFacts(IReadOnlyList<RequestFacts> List, int Omitted);
