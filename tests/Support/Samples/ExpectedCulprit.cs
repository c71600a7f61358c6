namespace HangTriage.Tests.Support.Samples;

/// <param name="Name">The name that the sample gives the thread.</param>
/// <param name="Frame">The function that must be named in what the culprit does; null where none need be.</param>
public sealed record ExpectedCulprit(string Name, string? Frame);
